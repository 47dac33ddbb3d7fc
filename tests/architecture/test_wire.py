"""What only the wire can bring: odd heads, bodies without a length, sockets to nowhere. Nothing of it is our error."""

from __future__ import annotations

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

FORM = b"application/x-www-form-urlencoded"
HEADS = [
    {b"content-type": media}
    for media in (
        b"\xff",
        b"text/html, application/json",
        b"application/json; charset*=utf-8''%00",
        b"application/json; charset*=nobody''x",
        b"application/json; charset*=\xff''%ff",
        b"application/json; charset=" + b"x" * 5000,
        FORM + b"; charset=utf-16",
        FORM + b"; charset=rot13",
        FORM + b"; charset=idna",
        FORM + b"; charset=zip",
        b"multipart/form-data",
        b"multipart/form-data; boundary=\xff",
        b"multipart/form-data; boundary*=utf-8''%00",
        b"multipart/form-data; boundary=x; charset=zip",
    )
] + [
    {b"accept-language": b"\xff;q=1,,,;q=x, " + b"a-" * 4000},
    {b"accept": b"\xff, /, */*;q=\xff"},
    {b"accept-encoding": b"\xff"},
    {b"authorization": b"\xff"},
    {b"cookie": b"sessionid=\xff; csrftoken=\xff; django_language=\xff%00; messages=x; theme=\xff"},
    {b"cookie": b"django_language=../../x; csrftoken=" + b"x" * 32},
    {b"host": b"["},
    {b"host": b"a_b:99999999"},
    {b"host": b"\xff"},
    {b"if-modified-since": b"\xff"},
    {b"if-none-match": b"\xff"},
    {b"origin": b"http://[::1"},
    {b"range": b"bytes=-9999999999999999999"},
    {b"referer": b"http://[::1"},
    {b"x-forwarded-proto": b"\xff"},
]
ASKED = [
    ("GET", "/"),
    ("GET", "/login/?next=%ff%00&page=x"),
    ("GET", "/%ff%00"),
    ("GET", "/static/club/css/club.css"),
    ("GET", "/static/%00%ff/../x"),
    ("GET", "/tables/?title=%00&page=" + "9" * 5000),
    ("POST", "/login/"),
    ("POST", "/language/"),
    ("POST", "/e/u/%00/"),
    ("POST", "/health/heartbeat/"),
    ("POST", "/api/matches/x"),
]
BODY = b"login=\xff&%ff=%00&password=x&language=%ed%a0%80"


@pytest.mark.parametrize(("method", "address"), ASKED, ids=[f"{method} {address[:20]}" for method, address in ASKED])
def test_no_head_is_an_error_of_ours(server, method, address):
    wrong = []
    with httpx.Client(base_url=server, trust_env=False) as http:
        for head in HEADS:
            heads = {b"content-type": FORM} | head if method == "POST" else head
            answer = http.request(
                method, address, headers=list(heads.items()), content=BODY if method == "POST" else None
            )
            if answer.status_code >= 500:
                wrong.append((head, answer.status_code))
    assert not wrong, wrong


@pytest.mark.parametrize("length", [64 * 1024 + 1, 1 << 20])
@pytest.mark.parametrize("in_chunks", [False, True])
def test_a_large_body_is_refused_whether_it_says_its_length_or_not(server, length, in_chunks):
    """C21, C46."""
    body = b"login=" + b"x" * length
    content = (body[start : start + 8192] for start in range(0, len(body), 8192)) if in_chunks else body
    heads = {"content-type": FORM.decode(), "cookie": f"csrftoken={'x' * 32}"}
    answer = httpx.post(f"{server}/login/", content=content, headers=heads, trust_env=False)
    assert answer.status_code in {400, 413}


@pytest.mark.parametrize("origin", ["http://[::1", "\xff", None])
@pytest.mark.parametrize("address", ["/ws/m/b7a52a65-a5f8-4d3c-9a3d-000000000000/", "/ws/m/x/", "/ws/", "/", "/%00"])
def test_a_socket_to_nowhere_or_from_nowhere_is_refused_before_it_opens(server, address, origin):
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(
            server.replace("http", "ws") + address,
            origin=origin,
            proxy=None,  # type: ignore[arg-type]
        ),
    ):
        pass
    assert refused.value.response.status_code in {400, 403, 404}
