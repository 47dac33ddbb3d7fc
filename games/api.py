"""The JSON door. It says what the pages say, from the same services and selectors, as the same member.

Every refusal is `{code, detail, number}`, whoever refuses: the rules, the door, or the address (reliability.md 6).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.urls import path
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, ValidationError
from ninja.parser import Parser
from ninja.security import SessionAuth
from pydantic import ConfigDict, Field, StrictInt, StrictStr

from club.members.models import Member
from games import selectors, services
from games.engine import codec
from games.errors import Malformed, NotFound, Refused
from games.phrases import Reader

BIGGEST = 2**31 - 1
BUSY_FOR = 5
"""Seconds after which a request may be sent again when the database did not answer in time."""


class TooLarge(Refused):
    status = 413
    code = "too_large"
    detail = _("This request is too large.")


class WrongMedia(Refused):
    status = 415
    code = "wrong_media"
    detail = _("Only JSON is read here.")


class NoSession(Refused):
    status = 401
    code = "no_session"
    detail = _("Please sign in or play as a guest first.")


class Forged(Refused):
    """The request carries a session, but not the mark that it comes from a page of ours."""

    status = 403
    code = "forged"
    detail = _("This request does not come from a page of the club.")


class WrongMethod(Refused):
    status = 405
    code = "wrong_method"
    detail = _("This address does not answer to such a request.")


class Busy(Refused):
    status = 503
    code = "busy"
    detail = _("The club is busy. Please try again in a moment.")


class MemberRequest(HttpRequest):
    """A request that `MemberAuth` let through."""

    user: Member


class StrictParser(Parser):
    """JSON as the standard has it, in UTF-8: no duplicate keys, no NaN. Fractions stand in no request."""

    def parse_body(self, request: HttpRequest) -> Any:
        text = request.body.decode("utf-8")
        return json.loads(text, object_pairs_hook=_unique, parse_float=_refuse, parse_constant=_refuse)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refuse(number: str) -> None:
    raise ValueError("no whole number")


class MemberAuth(SessionAuth):
    """The session of the pages. Who has none is told so before anything else is asked of the request."""

    def __call__(self, request: HttpRequest) -> Any:
        if not request.user.is_authenticated:
            raise NoSession
        _check_body(request)
        try:
            return super().__call__(request)
        except HttpError as error:
            raise Forged from error


def _check_body(request: HttpRequest) -> None:
    """Refuse what is too large or no JSON before anybody reads it: the check of forms would."""
    if request.method == "POST" and request.content_type != "application/json":
        raise WrongMedia
    try:
        size = len(request.body)
    except RequestDataTooBig as error:
        raise TooLarge from error
    # A body in chunks does not say its size beforehand.
    if size > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
        raise TooLarge


class ClubAPI(NinjaAPI):
    """Also refuses in its own words what reaches no operation: an unknown address, a method nobody answers."""

    @property
    def urls(self) -> tuple[list[Any], str, str]:
        patterns, app, namespace = super().urls
        for pattern in patterns:
            pattern.callback = _worded(pattern.callback)
        return [*patterns, path("<path:address>", _nothing, name="nothing")], app, namespace


def _worded(view: Any) -> Callable[..., HttpResponse]:
    @wraps(view)
    def worded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = view(request, *args, **kwargs)
        except Http404:
            return _nothing(request)
        if isinstance(response, HttpResponseNotAllowed):
            allowed = response["Allow"]
            response = problem(WrongMethod())
            response["Allow"] = allowed
        return response

    return worded


api = ClubAPI(
    title="The club",
    version="1",
    auth=MemberAuth(),
    parser=StrictParser(),
    urls_namespace="api",
    docs_url=None,
    docs_decorator=require_safe,
)


class Problem(Schema):
    """Every refusal. `number` is the last event number of the match, null where there is none."""

    code: str
    detail: str
    number: int | None = None


class MoveIn(Schema):
    """A move, the number of the last event its board showed, and a key of the sender's own for sending it again."""

    model_config = ConfigDict(extra="forbid")

    move: StrictStr = Field(max_length=100)
    seen: StrictInt = Field(ge=0, le=BIGGEST)
    key: StrictStr = Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9-]+$")


class MoveOut(Schema):
    number: int


class OfferOut(Schema):
    move: str
    label: str


class EventOut(Schema):
    number: int
    at: str
    kind: str
    seat: int | None
    say: list[str]
    why: list[str]


class MatchOut(Schema):
    match: UUID
    title: str
    number: int
    seat: int
    seats: list[str]
    to_act: list[int]
    due_at: str | None
    scores: list[int]
    outcome: dict | None
    view: dict
    moves: list[OfferOut]


PROBLEMS = dict.fromkeys((400, 401, 403, 404, 405, 409, 413, 415, 422, 503), Problem)


@api.get("matches/{uuid:match_id}", response={200: MatchOut, **PROBLEMS}, operation_id="match")
def match(request: MemberRequest, match_id: UUID):
    """A match as the member's seat may know it, with the moves it may make now."""
    found, seat = selectors.access_match(match_id, request.user)
    page = selectors.match_page(found, seat)
    reader = Reader.of(page)
    return {
        "match": found.pk,
        "title": found.table.title,
        "number": page.number,
        "seat": seat.number,
        "seats": [other.member.name for other in page.seats],
        "to_act": found.to_act,
        "due_at": page.turn.due_at.isoformat() if page.turn else None,
        "scores": found.scores,
        "outcome": found.outcome,
        "view": codec.plain(page.view),
        "moves": [{"move": offer.move, "label": reader.say(offer.label)} for offer in page.offers],
    }


@api.get("matches/{uuid:match_id}/since/{int:number}", response={200: list[EventOut], **PROBLEMS}, operation_id="since")
def since(request: MemberRequest, match_id: UUID, number: int):
    """What happened after event `number` in sentences, and why it came to its numbers."""
    found, seat = selectors.access_match(match_id, request.user)
    page = selectors.match_page(found, seat)
    reader = Reader.of(page)
    return [
        {
            "number": told.number,
            "at": told.at.isoformat(),
            "kind": told.kind,
            "seat": told.seat,
            "say": [reader.say(phrase) for phrase in told.phrases],
            "why": [reader.say(phrase) for phrase in told.reasons],
        }
        for told in page.history
        if told.number > number
    ]


@api.post("matches/{uuid:match_id}/moves", response={200: MoveOut, **PROBLEMS}, operation_id="move")
def move(request: MemberRequest, match_id: UUID, body: MoveIn):
    """Play a move; the answer leaves after the commit."""
    accepted = services.play_move(match_id=match_id, member=request.user, move=body.move, seen=body.seen, key=body.key)
    return {"number": accepted.number}


def problem(refusal: Refused) -> HttpResponse:
    """The one shape of every refusal; never an echo of the input."""
    body = {"code": refusal.code, "detail": str(refusal.detail), "number": refusal.number}
    return JsonResponse(body, status=refusal.status)


def _nothing(request: HttpRequest, address: str = "") -> HttpResponse:
    return problem(NotFound())


@api.exception_handler(Refused)
def refused(request: HttpRequest, error: Refused) -> HttpResponse:
    return problem(error)


@api.exception_handler(HttpError)
@api.exception_handler(ValidationError)
def malformed(request: HttpRequest, error: Exception) -> HttpResponse:
    return problem(Malformed())


@api.exception_handler(OperationalError)
@api.exception_handler(InterfaceError)
def busy(request: HttpRequest, error: Exception) -> HttpResponse:
    """A lock that took too long, a database that restarts: nothing has been written, and trying again is right."""
    response = problem(Busy())
    response["Retry-After"] = str(BUSY_FOR)
    return response
