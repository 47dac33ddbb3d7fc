"""The JSON door: every bad move of reliability.md 6 gets its answer, changes nothing and is not echoed."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import httpx
import pytest
from django.db import connection, transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from club.demo.matches import play, seated
from games import selectors, services, store
from games.api import api
from games.models import Event, Match, Receipt, Seat, Turn
from notifications.models import Notice
from tests.conftest import session_cookies
from tests.factories import GuestFactory, MemberFactory

pytestmark = pytest.mark.django_db

JSON = "application/json"
MIB = 1 << 20


class Board:
    """A match of two at dice, and the one whose turn it is."""

    def __init__(self, title: str = "thousand") -> None:
        self.match = seated([MemberFactory.create(), GuestFactory.create()], title)
        seats = Seat.objects.filter(table_id=self.match.pk).select_related("member")
        self.seat = seats.get(number=self.match.to_act[0])
        self.other = seats.exclude(number=self.match.to_act[0]).get()
        self.client = signed_in(self.seat.member)
        self.url = f"/api/matches/{self.match.pk}/moves"

    def body(self, **given: object) -> dict[str, object]:
        """A move that may be played, changed by `given`."""
        self.match.refresh_from_db()
        return {"move": "throw", "seen": self.match.number, "key": str(uuid4())} | given

    def send(self, body: object = None, content_type: str = JSON, client: Client | None = None, **extra):
        """POST `body`: bytes as they are, anything else as JSON; without one, a move that may be played."""
        data = body if isinstance(body, bytes) else json.dumps(self.body() if body is None else body).encode()
        # The type is said even of an empty body, and the bytes go out as they are.
        return (client or self.client).generic("POST", self.url, data, CONTENT_TYPE=content_type, **extra)

    def offers(self) -> list[str]:
        match, seat = selectors.access_match(self.match.pk, self.seat.member)
        return [offer.move for offer in selectors.match_page(match, seat).offers]


@pytest.fixture
def board() -> Board:
    return Board()


def signed_in(member, **options) -> Client:
    client = Client(**options)
    client.force_login(member)
    return client


def stored() -> tuple[object, ...]:
    """What a refusal leaves as it is."""
    numbers = sorted(Match.objects.values_list("pk", "number", "to_act", "scores"))
    return (numbers, Event.objects.count(), Turn.objects.count(), Receipt.objects.count(), Notice.objects.count())


@contextmanager
def nothing_changes():
    before = stored()
    yield
    assert stored() == before


def assert_refused(response, status: int, code: str, number: int | None = None) -> dict[str, Any]:
    """The one shape of a refusal."""
    assert (response.status_code, response.headers["Content-Type"]) == (status, JSON), response.content
    said = json.loads(response.content)
    assert said.keys() == {"code", "detail", "number"}
    assert (said["code"], said["number"]) == (code, number)
    assert isinstance(said["detail"], str)
    assert said["detail"]
    return said


# Malformed: C1 to C3, C14, C20, C22

GOOD = b'{"move": "throw", "seen": 1, "key": "0123456789"}'


def changed(**fields: object) -> bytes:
    return json.dumps(json.loads(GOOD) | fields).encode()


def without(name: str) -> bytes:
    return json.dumps({key: value for key, value in json.loads(GOOD).items() if key != name}).encode()


def with_text(field: bytes, text: bytes) -> bytes:
    """GOOD with the raw `text` as value of `field`."""
    values = {b"move": b'"throw"', b"seen": b"1", b"key": b'"0123456789"'} | {field: text}
    return b"{" + b", ".join(b'"%s": %s' % pair for pair in values.items()) + b"}"


MALFORMED = {
    "C1 empty": b"",
    "C1 blank": b"  ",
    "C1 not JSON": b"move=throw",
    "C1 cut off": GOOD[:-1],
    "C1 more after it": GOOD + b"{}",
    "C1 XML": b"<move>throw</move>",
    "C2 duplicate keys": b'{"move": "bank", "move": "throw", "seen": 1, "key": "0123456789"}',
    "C2 NaN": with_text(b"seen", b"NaN"),
    "C2 Infinity": with_text(b"seen", b"-Infinity"),
    "C2 1e999": with_text(b"seen", b"1e999"),
    "C2 1e999 beside": with_text(b"more", b"1e999"),
    "C2 nested lists": with_text(b"seen", b"[" * 10_000 + b"]" * 10_000),
    "C2 nested lists, open": b"[" * 10_000,
    "C2 nested objects": b'{"seen":' * 7_000 + b"1" + b"}" * 7_000,
    "C2 a number without end": with_text(b"seen", b"9" * 60_000),
    "C3 a number as text": changed(seen="1"),
    "C3 a fraction": with_text(b"seen", b"1.0"),
    "C3 true for 1": changed(seen=True),
    "C3 null": changed(seen=None),
    "C3 a list": changed(seen=[1]),
    "C3 negative": changed(seen=-1),
    "C3 larger than any number": changed(seen=2**31),
    "C3 a move that is a number": changed(move=1),
    "C3 a move that is a list": changed(move=["throw"]),
    "C3 a long move": changed(move="x" * 101),
    "C3 a move of half a surrogate pair": with_text(b"move", b'"\\ud800"'),
    "C3 a key too short": changed(key="0123456"),
    "C3 a key too long": changed(key="0" * 65),
    "C3 a key of other signs": changed(key="0123456\u0131"),
    "C3 a key and a line": changed(key="0123456789\n"),
    "C3 a body that is a list": b"[" + GOOD + b"]",
    "C3 a body that is null": b"null",
    "C3 a body that is text": b'"throw"',
    "C3 no move": without("move"),
    "C3 no number": without("seen"),
    "C3 no key": without("key"),
    "C14 a seat": changed(seat=0),
    "C20 throws": changed(dice=[1, 1, 1, 1, 1]),
    "C20 a hand": changed(hand=["66"]),
    "C20 a score": changed(scores=[1000, 0]),
    "C20 a time": changed(at="2026-01-01T00:00:00Z"),
    "C20 a field named by half a surrogate pair": b'{"\\ud800": 1, ' + GOOD[1:],
    "C22 UTF-16": GOOD.decode().encode("utf-16"),
    "C22 UTF-16 without a mark": GOOD.decode().encode("utf-16-le"),
    "C22 UTF-32": GOOD.decode().encode("utf-32"),
    "C22 byte order mark": b"\xef\xbb\xbf" + GOOD,
    "C22 Latin-1": '{"move": "\u00e9"}'.encode("latin-1"),
    "C22 a surrogate pair in UTF-8": b'{"move": "\xed\xa0\x80"}',
    "NUL": b"\x00" + GOOD,
}


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_what_cannot_be_read_gets_400(board, body):
    with nothing_changes():
        assert_refused(board.send(body), 400, "malformed")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-7", "no such thing", ""])
def test_the_encoding_is_utf_8_whatever_the_media_type_claims(board, encoding):
    content_type = f"application/json; charset={encoding}"
    assert board.send(content_type=content_type).status_code == 200
    with nothing_changes():
        assert_refused(board.send(GOOD.decode().encode("utf-16"), content_type), 400, "malformed")


# Media type and size: C21, C22


@pytest.mark.parametrize(
    "content_type",
    [
        "",
        "text/plain",
        "text/json",
        "application/jsonp",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "multipart/form-data",
        "application/octet-stream",
        "*/*",
        "json",
    ],
)
def test_another_media_type_gets_415(board, content_type):
    for body in (GOOD, b"", b"move=throw&" * 100, b"--x\r\n"):
        with nothing_changes():
            assert_refused(board.send(body, content_type), 415, "wrong_media")


@pytest.mark.parametrize("size", [64 * 1024 + 1, MIB])
def test_more_than_64_kib_gets_413(board, size):
    with nothing_changes():
        assert_refused(board.send(changed(move="x" * size)), 413, "too_large")
        assert_refused(board.send(GOOD + b" " * size), 413, "too_large")


def test_64_kib_are_read(board):
    body = json.dumps(board.body()).encode()
    assert board.send(body.ljust(64 * 1024)).status_code == 200


# Moves: C4 to C12, C17, C19


@pytest.mark.parametrize(
    "move",
    [
        "70@L",
        "-12@L",
        "7|0@L",
        "77",
        "66@X",
        "66@",
        "66@L@R",
        "66@U",
        "66@D",
        "66@L 55@R",
        "draw 3",
        "reserve",
        "",
        " ",
        "DRAW",
        "d\u0157aw",
        "\x00",
        "\u202e66@L",
        "{tile}",
        "%(tile)s",
        "<script>alert(1)</script>",
        "'; DROP TABLE games_event; --",
        "\U0001f600" * 100,
    ],
)
def test_a_tile_or_an_end_that_does_not_exist_is_against_the_rules(move):
    """C4, C5, C18."""
    board = Board("kozel")
    with nothing_changes():
        assert_refused(board.send(board.body(move=move)), 422, "against_the_rules", board.match.number)


def test_drawing_and_passing_with_a_tile_to_lay_is_against_the_rules():
    """C17: whoever must draw or pass is spared the press, so whoever is asked can lay a tile."""
    board = Board("kozel")
    assert not {"draw", "pass"} & {*board.offers()}
    for move in ("draw", "pass"):
        with nothing_changes():
            assert_refused(board.send(board.body(move=move)), 422, "against_the_rules", board.match.number)


def test_a_tile_of_somebody_else_and_one_of_the_boneyard_are_refused_in_the_same_words():
    """C6."""
    board = Board("kozel")
    hand = store.state_of(board.match, [board.seat, board.other]).position.hands[board.seat.number]
    said = set()
    for tile in (f"{low}{high}" for low in range(7) for high in range(low, 7)):
        if tile not in hand:
            refusal = assert_refused(
                board.send(board.body(move=f"{tile}@L")), 422, "against_the_rules", board.match.number
            )
            for face in tile:
                refusal["detail"] = refusal["detail"].replace(face, "#")
            said.add(refusal["detail"].removeprefix("double #").removeprefix("# and #"))
    assert said == {": not in your hand."}


@pytest.mark.parametrize("move", ["bank", "keep", "keep 1", "keep 7", "keep 1 1 1 1 1 1", "keep  1", "keep 1 "])
def test_dice_that_were_not_thrown_and_points_that_are_not_there(board, move):
    """C19."""
    with nothing_changes():
        assert_refused(board.send(board.body(move=move)), 422, "against_the_rules", board.match.number)


def test_after_a_throw_only_what_lies_there_and_scores_can_be_kept():
    """C19."""
    board = Board()
    while board.send().status_code == 200 and board.offers() == []:
        board = Board()  # a bust
    board.match.refresh_from_db()
    thrown = Event.objects.filter(match=board.match, kind="threw").latest("number").payload["dice"]
    absent = next(face for face in range(1, 7) if face not in thrown)
    for move in (f"keep {absent}", "keep 1 1 1 1 1 1", "throw", "bank"):
        with nothing_changes():
            assert_refused(board.send(board.body(move=move)), 422, "against_the_rules", board.match.number)
    assert board.send(board.body(move=board.offers()[0])).status_code == 200


def test_out_of_turn_stale_and_from_the_future(board):
    """C7, C8, C9."""
    number = board.match.number
    with nothing_changes():
        assert_refused(board.send(client=signed_in(board.other.member)), 409, "not_your_turn", number)
        for seen in (0, number - 1, number + 1, 2**31 - 1):
            assert_refused(board.send(board.body(seen=seen)), 409, "stale", number)


def test_an_old_request_sent_again_gets_the_stored_answer(board):
    """C10."""
    body = board.body()
    first = board.send(body)
    assert first.status_code == 200
    with nothing_changes():
        again = board.send(body)
    assert (again.status_code, again.content) == (200, first.content)
    play(board.match)
    assert board.send(body).content == first.content


def test_the_same_key_with_another_body_is_refused(board):
    """C11."""
    body = board.body()
    board.send(body)
    board.match.refresh_from_db()
    with nothing_changes():
        for other in ({"move": "bank"}, {"seen": board.match.number}, {"move": "\ufdfa" * 100}):
            assert_refused(board.send(body | other), 409, "key_reused", board.match.number)


def test_a_match_that_is_over(board):
    """C12."""
    services.resign(match_id=board.match.pk, member=board.other.member)
    body = board.body()
    with nothing_changes():
        assert_refused(board.send(body), 409, "over", body["seen"])


# Who asks: C13, C15, C16, 401, C61


def addresses(match_id: object) -> list[tuple[str, str]]:
    root = f"/api/matches/{match_id}"
    return [("GET", root), ("GET", f"{root}/since/0"), ("POST", f"{root}/moves")]


def ask(client: Client, method: str, address: str, body: bytes = GOOD):
    return client.generic(method, address, body if method == "POST" else b"", content_type=JSON)


@pytest.mark.parametrize("stranger", [MemberFactory, GuestFactory, lambda: MemberFactory(is_moderator=True)])
def test_a_match_of_other_people_and_one_that_does_not_exist_answer_alike(board, stranger):
    """C13, C15, C16: byte for byte, headers and all."""
    client = signed_in(stranger())
    with nothing_changes():
        for (method, theirs), (_, nobodys) in zip(addresses(board.match.pk), addresses(uuid4()), strict=True):
            answers = [ask(client, method, address) for address in (theirs, nobodys)]
            for answer in answers:
                assert_refused(answer, 404, "not_found")
            assert answers[0].content == answers[1].content
            assert dict(answers[0].headers) == dict(answers[1].headers)


def test_without_a_session_everything_gets_401(board):
    with nothing_changes():
        for enforce in (False, True):
            for match_id in (board.match.pk, uuid4()):
                for method, address in addresses(match_id):
                    client = Client(enforce_csrf_checks=enforce)
                    assert_refused(ask(client, method, address), 401, "no_session")


def test_after_signing_out_the_session_is_none(board):
    cookies = board.client.cookies.output(header="", sep=";")
    board.client.post("/logout/")
    answer = Client(headers={"cookie": cookies}).get(f"/api/matches/{board.match.pk}")
    assert_refused(answer, 401, "no_session")


def test_a_move_needs_the_mark_of_our_pages_and_our_origin(board):
    """C61."""
    client = signed_in(board.seat.member, enforce_csrf_checks=True)
    token = client.get("/me/").cookies["csrftoken"].value
    foreign = {"x-csrftoken": token, "origin": "https://evil.example"}
    with nothing_changes():
        for headers in ({}, {"x-csrftoken": "x" * 32}, foreign, {"x-csrftoken": token, "origin": "null"}):
            assert_refused(board.send(client=client, headers=headers), 403, "forged")
    assert client.get(f"/api/matches/{board.match.pk}").status_code == 200
    mine = {"x-csrftoken": token, "origin": "http://testserver"}
    assert board.send(client=client, headers=mine).status_code == 200


# Addresses and methods: C23


def test_other_methods_get_405(board):
    for method, address in addresses(board.match.pk):
        for wrong in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "MOVE"} - {method}:
            with nothing_changes():
                answer = board.client.generic(wrong, address, GOOD, content_type=JSON)
            assert answer.headers["Allow"] == method
            if wrong == "HEAD":
                assert answer.status_code == 405
            else:
                assert_refused(answer, 405, "wrong_method")


@pytest.mark.parametrize(
    "address",
    [
        "",
        "matches",
        "matches/",
        "matches/1",
        "matches/{id}/",
        "matches/{id}/move",
        "matches/{id}/moves/",
        "matches/{id}/since/",
        "matches/{id}/since/-1",
        "matches/{id}/since/x",
        "matches/{id}/since/0/",
        "matches/{id}/seats/0",
        "matches/{ID}/moves",
        "matches/%00/moves",
        "matches/%ff%fe",
        "../m/",
    ],
)
def test_an_address_that_does_not_exist_gets_404(board, address):
    path = "/api/" + address.replace("{id}", str(board.match.pk)).replace("{ID}", str(board.match.pk).upper())
    for client in (board.client, Client()):
        assert_refused(client.get(path), 404, "not_found")


def test_a_number_without_end_is_no_address(board):
    assert_refused(board.client.get(f"/api/matches/{board.match.pk}/since/{'9' * 6_000}"), 404, "not_found")
    assert board.client.get(f"/api/matches/{board.match.pk}/since/{'9' * 600}").json() == []


# What is answered


def test_a_seat_reads_its_match_and_plays(board):
    address = f"/api/matches/{board.match.pk}"
    shown = board.client.get(address).json()
    assert shown["match"] == str(board.match.pk)
    assert (shown["title"], shown["number"], shown["seat"]) == ("thousand", board.match.number, board.seat.number)
    assert shown["seats"][board.seat.number] == board.seat.member.name
    assert [offer["move"] for offer in shown["moves"]] == board.offers() == ["throw"]
    number = board.send().json()["number"]
    news = board.client.get(f"{address}/since/{shown['number']}").json()
    assert [told["number"] for told in news] == list(range(shown["number"] + 1, number + 1))
    assert news[0]["kind"] == "threw"
    assert board.seat.member.name in news[0]["say"][0]
    assert board.client.get(f"{address}/since/{number}").json() == []


def test_the_description_names_every_operation_and_every_refusal(client):
    shown = client.get("/api/openapi.json").json()
    for operations in shown["paths"].values():
        for operation in operations.values():
            assert {"200", "400", "401", "403", "404", "409", "413", "415", "422"} <= operation["responses"].keys()
    assert len(shown["paths"]) == len(addresses(""))
    assert_refused(client.post("/api/openapi.json"), 405, "wrong_method")


@pytest.mark.django_db(transaction=True)
def test_a_match_that_is_locked_for_too_long_is_busy():
    board = Board()
    held, done = threading.Event(), threading.Event()

    def hold():
        with transaction.atomic():
            Match.objects.select_for_update().get(pk=board.match.pk)
            held.set()
            done.wait(10)
        connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    assert held.wait(5)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    with nothing_changes():
        answer = board.send()
        assert_refused(answer, 503, "busy")
        assert answer.headers["Retry-After"] == "5"
    done.set()
    holder.join()
    connection.close()


# Whatever is sent

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
MOVES = st.fixed_dictionaries(
    {"move": st.text(max_size=120) | VALUES, "seen": st.integers() | VALUES, "key": st.text(max_size=70) | VALUES},
    optional={"seat": VALUES, "\x00": VALUES},
)
anything = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
# The test client raises what would have been a 500.
ANSWERS = {200, 400, 404, 405, 409, 413, 415, 422}


@anything
@given(body=st.binary(max_size=300) | VALUES.map(lambda value: json.dumps(value).encode()))
def test_no_body_is_an_error_of_ours(board, body):
    assert board.send(body).status_code == 400


@anything
@given(body=MOVES)
def test_no_move_is_an_error_of_ours(board, body):
    assert board.send(json.dumps(body).encode()).status_code in ANSWERS


@anything
@given(move=st.text(max_size=100), seen=st.booleans())
def test_no_text_of_a_move_is_an_error_of_ours_or_echoed(board, move, seen):
    answer = board.send(board.body(move=move) if seen else changed(move=move))
    assert answer.status_code in ANSWERS
    if len(move) > 30:
        assert move not in json.loads(answer.content).get("detail", "")


@anything
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "HEAD"]),
    address=st.lists(st.text() | st.sampled_from(["matches", "since", "moves", str(uuid4())]), max_size=5),
    content_type=st.text(st.characters(max_codepoint=255, exclude_characters="\r\n\0")),
    query=st.text(),
)
def test_no_address_is_an_error_of_ours(board, method, address, content_type, query):
    answer = board.client.generic(
        method, "/api/" + "/".join(address), b"{}", content_type=content_type, query_params={"q": query}
    )
    assert answer.status_code in ANSWERS


# Over the wire


def in_chunks(body: bytes):
    yield from (body[start : start + 4096] for start in range(0, len(body), 4096))


def test_over_http_sizes_methods_and_headers_hold_as_well(server):
    """What the test client does not do: bodies in chunks, the answer to HEAD, raw bytes in the address."""
    board = Board()
    cookies = {cookie["name"]: cookie["value"] for cookie in session_cookies(board.seat.member, server)}
    with httpx.Client(base_url=server, cookies=cookies, trust_env=False, headers={"content-type": JSON}) as http:
        token = http.get("/me/").cookies["csrftoken"]
        http.headers.update({"x-csrftoken": token, "origin": server})
        http.cookies.set("csrftoken", token)
        for content in (b" " * MIB, in_chunks(b" " * MIB), in_chunks(b"\x00" * (64 * 1024 + 1))):
            assert_refused(http.post(board.url, content=content), 413, "too_large")
        for content in (in_chunks(b"{" * 60_000), b"", b"\xff"):
            assert_refused(http.post(board.url, content=content), 400, "malformed")
        head = http.head(board.url)
        assert (head.status_code, head.content) == (405, b"")
        for media in (b"\xff", b"text/xml", b"application/json, text/html"):
            assert_refused(http.post(board.url, content=GOOD, headers={b"content-type": media}), 415, "wrong_media")
        assert http.get("/api/?%ff=%ff&%00").status_code == 404
        assert http.post(board.url, json=board.body(), headers={"origin": "http://evil.example"}).status_code == 403
        assert http.post(board.url, content=in_chunks(json.dumps(board.body()).encode())).status_code == 200


def test_every_operation_is_in_the_tables_above():
    """A new operation has to be asked with bad inputs as well."""
    operations = [path for router in api._get_bound_routers() for path in router.path_operations]
    assert len(operations) == len(addresses(""))
