import re
import secrets
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from itertools import chain
from typing import Any, Generic, Literal, Protocol, TypeVar
from urllib.parse import quote

from pydantic_core import PydanticSerializationError

from ._base_errors import AnswerFacts, CallFacts
from ._model import Model
from .errors import NotFoundError, UnusableInputError

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
    """
    Puts an operation's input into its route.
    :raises UnusableInputError: for what is no input of it
    """
    given = {name: value for name, value in (headers or {}).items() if value is not None}
    sent = {name: _header_of(operation, name, value) for name, value in given.items()}
    if idempotency_key is not None:
        sent["Idempotency-Key"] = idempotency_key
    if body is not None:
        is_rows = isinstance(body, (Iterator, AsyncIterator))
        sent["Content-Type"] = "application/x-ndjson" if is_rows else "application/json"
    return Call(
        operation=operation,
        method=method,
        path=_with_ids(operation, path, ids or {}),
        query={
            name: value.isoformat() if isinstance(value, datetime) else _text_of(operation, name, value)
            for name, value in (query or {}).items()
            if value is not None
        },
        body=_body_of(operation, body),
        headers=sent,
        idempotency_key=idempotency_key,
        repeatable=repeatable,
        answer=answer,
    )


def _body_of(
    operation: str, body: Model | Iterator[bytes] | AsyncIterator[bytes] | None
) -> bytes | Iterator[bytes] | AsyncIterator[bytes] | None:
    if body is None or isinstance(body, (Iterator, AsyncIterator)):
        return body
    return _json_of(operation, "the body", body)


def _header_of(operation: str, name: str, value: date | str) -> str:
    text = value.isoformat() if isinstance(value, date) else value
    if not isinstance(text, str) or not re.fullmatch(r"(?! )[\x20-\x7e]{1,2048}(?<! )", text):
        raise UnusableInputError(
            f"{name} should be printable ASCII characters, without a space at an end", CallFacts(operation)
        )
    return text


def _json_of(operation: str, what: str, value: object) -> bytes:
    if not isinstance(value, Model):
        should = "should be a model of insurance_verification.models"
        raise UnusableInputError(f"{what} {should}, not {type(value).__name__}", CallFacts(operation))
    try:
        return value.model_dump_json(by_alias=True, exclude_unset=True).encode()
    except (PydanticSerializationError, UnicodeEncodeError):
        # Not as the cause: its text can hold a part of the input.
        raise UnusableInputError(f"{what} cannot be written as JSON", CallFacts(operation)) from None


# Bytes that rows are gathered to before they are sent: a slow source must not look silent to the service.
_PIECE_BYTES = 16 * 1024


def pieces_of(operation: str, rows: Iterable[Model]) -> Iterator[bytes]:
    """
    Rows as lines of JSON. The first ones are read before the call is made, and none after them before those before it were
    sent.
    :raises UnusableInputError: for what is no row, such as the lines of an open file
    """
    if not isinstance(rows, Iterable) or isinstance(rows, _NO_ROWS):
        raise _no_rows(operation, rows)
    pieces = _pieces(operation, rows)
    first = next(pieces, None)
    return iter(()) if first is None else chain([first], pieces)


def _pieces(operation: str, rows: Iterable[Model]) -> Iterator[bytes]:
    piece = bytearray()
    for number, row in enumerate(rows, 1):
        piece += _json_of(operation, f"row {number}", row) + b"\n"
        if len(piece) >= _PIECE_BYTES:
            yield bytes(piece)
            piece.clear()
    if piece:
        yield bytes(piece)


async def async_pieces_of(
    operation: str, rows: Iterable[Model] | AsyncIterable[Model]
) -> AsyncIterator[bytes]:
    """As `pieces_of`, also of rows that come asynchronously."""
    if isinstance(rows, Iterable):
        return _all_of(None, _as_async(pieces_of(operation, rows)))
    if not isinstance(rows, AsyncIterable):
        raise _no_rows(operation, rows)
    pieces = _async_pieces(operation, rows)
    return _all_of(await anext(pieces, None), pieces)


async def _async_pieces(operation: str, rows: AsyncIterable[Model]) -> AsyncIterator[bytes]:
    piece = bytearray()
    number = 0
    async for row in rows:
        number += 1
        piece += _json_of(operation, f"row {number}", row) + b"\n"
        if len(piece) >= _PIECE_BYTES:
            yield bytes(piece)
            piece.clear()
    if piece:
        yield bytes(piece)


async def _as_async(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


async def _all_of(first: bytes | None, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    if first is not None:
        yield first
    async for piece in rest:
        yield piece


# Each can be iterated over, and none is a list of rows.
_NO_ROWS = (str, bytes, bytearray, memoryview, Mapping, Model)


def _no_rows(operation: str, rows: object) -> UnusableInputError:
    should = "rows should be an iterable of models.BatchRow"
    return UnusableInputError(f"{should}, not {type(rows).__name__}", CallFacts(operation))


def _text_of(operation: str, name: str, value: T) -> T:
    """A value that an address can carry: half of a surrogate pair it cannot."""
    if isinstance(value, str) and any("\ud800" <= one <= "\udfff" for one in value):
        raise UnusableInputError(f"{name} cannot be written as UTF-8", CallFacts(operation))
    return value


def _with_ids(operation: str, path: str, ids: Mapping[str, str]) -> str:
    for name, value in ids.items():
        if not isinstance(value, str):
            raise UnusableInputError(f"{name} should be a str, not {type(value).__name__}", CallFacts(operation))
        _text_of(operation, name, value)
        # URLs drop "", "." and ".." however they are written: the call would reach another operation.
        if value in ("", ".", ".."):
            raise NotFoundError(None, CallFacts(operation), AnswerFacts(404))
        path = path.replace(f"{{{name}}}", quote(value, safe=""))
    return path


def key_or_new(operation: str, idempotency_key: str | None) -> str:
    """The given key, or a random one: made once for each call, so that all attempts send the same."""
    if idempotency_key is None:
        return secrets.token_hex(16)
    # A space at an end would be trimmed in transit, so the service would see another key.
    if not isinstance(idempotency_key, str) or not re.fullmatch(
        r"(?! )[\x20-\x7e]{1,255}(?<! )", idempotency_key
    ):
        raise UnusableInputError(
            "idempotency_key must be 1 to 255 printable ASCII characters, without a space at an end",
            CallFacts(operation),
        )
    return idempotency_key
