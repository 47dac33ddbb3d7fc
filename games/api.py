"""The JSON door. It says what the pages say, from the same services and selectors, as the same member."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, ValidationError
from ninja.parser import Parser
from ninja.security import SessionAuth
from pydantic import ConfigDict, Field, StrictInt, StrictStr

from games import selectors, services
from games.engine import codec
from games.errors import Refused
from games.phrases import Reader

BIGGEST = 2**31 - 1


class StrictParser(Parser):
    """JSON as the standard has it: no duplicate keys, no NaN, no numbers beyond a float."""

    def parse_body(self, request: HttpRequest) -> Any:
        if request.content_type != "application/json":
            raise ValueError("not JSON")
        return json.loads(request.body.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_refuse)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


api = NinjaAPI(
    title="The club",
    version="1",
    auth=SessionAuth(csrf=True),
    parser=StrictParser(),
    urls_namespace="api",
    docs_url=None,
)


class Problem(Schema):
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


PROBLEMS = dict.fromkeys((400, 401, 403, 404, 409, 413, 415, 422, 429, 503), Problem)


@api.get("matches/{uuid:match_id}", response={200: MatchOut, **PROBLEMS}, operation_id="match")
def match(request: HttpRequest, match_id: UUID):
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
def since(request: HttpRequest, match_id: UUID, number: int):
    """What happened after event `number`, in sentences."""
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
        }
        for told in page.history
        if told.number > number
    ]


@api.post("matches/{uuid:match_id}/moves", response={200: MoveOut, **PROBLEMS}, operation_id="move")
def move(request: HttpRequest, match_id: UUID, body: MoveIn):
    """Play a move; the answer leaves after the commit."""
    accepted = services.play_move(match_id=match_id, member=request.user, move=body.move, seen=body.seen, key=body.key)
    return {"number": accepted.number}


def problem(status: int, code: str, detail: object, number: int | None = None) -> HttpResponse:
    """The one shape of every refusal (reliability.md 6); never an echo of the input."""
    return JsonResponse({"code": code, "detail": str(detail), "number": number}, status=status)


@api.exception_handler(Refused)
def refused(request: HttpRequest, error: Refused) -> HttpResponse:
    return problem(error.status, error.code, error.detail, error.number)


@api.exception_handler(ValidationError)
def invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    return problem(400, "malformed", Refused.detail)


@api.exception_handler(AuthenticationError)
def unknown(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    return problem(401, "no_session", "")
