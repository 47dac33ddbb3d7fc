"""How often something may be tried (security.md 7): a sliding window for each key, kept in Redis by its clock.

Redis carries hints, never truth: when it is down, everything is allowed.
"""

from __future__ import annotations

import hashlib
import logging
import math
import secrets
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv6Address, ip_address

import redis
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

log = logging.getLogger(__name__)

# One script is one step for Redis, so parallel tries are counted one after the other. A refused try is not counted:
# whoever goes on knocking does not wait longer.
_WINDOW = """
local time = redis.call('TIME')
local now, width = time[1] * 1000000 + time[2], tonumber(ARGV[1]) * 1000000
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - width)
local tries = redis.call('ZCARD', KEYS[1])
if tries < tonumber(ARGV[2]) then
    redis.call('ZADD', KEYS[1], now, ARGV[3])
    redis.call('EXPIRE', KEYS[1], ARGV[1])
    return {tries + 1, 0}
end
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
return {tries, tonumber(first) + width - now}
"""


@dataclass(frozen=True, slots=True)
class Try:
    """One try: true if it may go on. `wait`: whole seconds until the next one may, 0 if this one may."""

    count: int
    wait: int

    def __bool__(self) -> bool:
        return not self.wait


def allow(key: str, limit: int, seconds: int) -> Try:
    """Count one try of `key`; of `limit` tries in `seconds` all are true, the next is false until the first is old."""
    try:
        count, wait = _redis().eval(_WINDOW, 1, _name(key), seconds, limit, secrets.token_hex(8))
    except redis.RedisError:
        log.warning("limits are off: Redis does not answer")
        return Try(0, 0)
    return Try(int(count), math.ceil(int(wait) / 1_000_000))


def give_back(key: str) -> None:
    """Take back the latest try of `key`: it was an honest one."""
    try:
        _redis().zpopmax(_name(key))
    except redis.RedisError:
        log.warning("limits are off: Redis does not answer")


def place(request: HttpRequest) -> str:
    """Where a request comes from, as a limit counts it: an IPv4 address, or the /64 that one IPv6 subscriber owns."""
    try:
        address = ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))
    return str(address)


def too_many(request: HttpRequest, wait: int) -> HttpResponse:
    """The answer to one try too many: 429, and when to come back (seconds)."""
    response = render(request, "429.html", {"wait": math.ceil(wait / 60)}, status=429)
    response["Retry-After"] = str(wait)
    return response


def _name(key: str) -> str:
    # Names and mail addresses do not stand in Redis in clear.
    return "limit:" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def _redis() -> redis.Redis:
    return redis.Redis.from_url(
        settings.REDIS_URL.replace("redis+socket://", "unix://"), socket_timeout=0.5, socket_connect_timeout=0.5
    )
