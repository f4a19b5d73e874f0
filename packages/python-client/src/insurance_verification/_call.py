import re
import secrets
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Generic, Literal, Protocol, TypeVar
from urllib.parse import quote

from ._base_errors import AnswerFacts, CallFacts
from ._model import Model
from .errors import NotFoundError

T = TypeVar("T")


@dataclass(frozen=True)
class Call(Generic[T]):
    """One call, before it is sent."""

    operation: str
    method: Literal["GET", "POST"]
    path: str
    query: Mapping[str, str | int | bool]
    body: bytes | Iterator[bytes] | AsyncIterator[bytes] | None
    """An iterator of rows can be read once."""
    headers: Mapping[str, str]
    idempotency_key: str | None
    repeatable: bool
    """Whether it may be sent again when it is unknown whether it took effect."""
    answer: type[T] | None
    """The model of the answer; None where any JSON is one."""


class Send(Protocol):
    def __call__(self, call: Call[T]) -> T: ...


class AsyncSend(Protocol):
    def __call__(self, call: Call[T]) -> Awaitable[T]: ...


class Lines(Protocol):
    def __call__(self, call: Call[T]) -> Iterator[T]: ...


class AsyncLines(Protocol):
    def __call__(self, call: Call[T]) -> AsyncIterator[T]: ...


def to_call(
    operation: str,
    method: Literal["GET", "POST"],
    path: str,
    answer: type[T] | None,
    *,
    repeatable: bool,
    ids: Mapping[str, str] | None = None,
    query: Mapping[str, str | int | bool | datetime | None] | None = None,
    body: Model | Iterator[bytes] | AsyncIterator[bytes] | None = None,
    headers: Mapping[str, date | str | None] | None = None,
    idempotency_key: str | None = None,
) -> Call[T]:
    """Puts an operation's input into its route."""
    given = {name: value for name, value in (headers or {}).items() if value is not None}
    sent = {name: value if isinstance(value, str) else value.isoformat() for name, value in given.items()}
    if idempotency_key is not None:
        sent["Idempotency-Key"] = idempotency_key
    if body is not None:
        sent["Content-Type"] = "application/json" if isinstance(body, Model) else "application/x-ndjson"
    return Call(
        operation=operation,
        method=method,
        path=_with_ids(operation, path, ids or {}),
        query={
            name: value.isoformat() if isinstance(value, datetime) else value
            for name, value in (query or {}).items()
            if value is not None
        },
        body=_json_of(body) if isinstance(body, Model) else body,
        headers=sent,
        idempotency_key=idempotency_key,
        repeatable=repeatable,
        answer=answer,
    )


def _json_of(model: Model) -> bytes:
    return model.model_dump_json(by_alias=True, exclude_unset=True).encode()


# Bytes that rows are gathered to before they are sent: a slow source must not look silent to the service.
_PIECE_BYTES = 16 * 1024


def pieces_of(rows: Iterable[Model]) -> Iterator[bytes]:
    """Rows as lines of JSON. None is read before those before it were sent."""
    piece = bytearray()
    for row in rows:
        piece += _json_of(row) + b"\n"
        if len(piece) >= _PIECE_BYTES:
            yield bytes(piece)
            piece.clear()
    if piece:
        yield bytes(piece)


async def async_pieces_of(rows: Iterable[Model] | AsyncIterable[Model]) -> AsyncIterator[bytes]:
    if isinstance(rows, Iterable):
        for whole in pieces_of(rows):
            yield whole
        return
    piece = bytearray()
    async for row in rows:
        piece += _json_of(row) + b"\n"
        if len(piece) >= _PIECE_BYTES:
            yield bytes(piece)
            piece.clear()
    if piece:
        yield bytes(piece)


def _with_ids(operation: str, path: str, ids: Mapping[str, str]) -> str:
    for name, value in ids.items():
        # URLs drop "", "." and ".." however they are written: the call would reach another operation.
        if value in ("", ".", ".."):
            raise NotFoundError(None, CallFacts(operation), AnswerFacts(404))
        path = path.replace(f"{{{name}}}", quote(value, safe=""))
    return path


def key_or_new(idempotency_key: str | None) -> str:
    """The given key, or a random one: made once for each call, so that all attempts send the same."""
    if idempotency_key is None:
        return secrets.token_hex(16)
    # A space at an end would be trimmed in transit, so the service would see another key.
    if not re.fullmatch(r"(?! )[\x20-\x7e]{1,255}(?<! )", idempotency_key):
        raise ValueError(
            "idempotency_key must be 1 to 255 printable ASCII characters, without a space at an end"
        )
    return idempotency_key
