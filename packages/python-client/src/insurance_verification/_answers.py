import json
import warnings
from collections.abc import Iterator, Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Generic, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from . import errors, models
from ._base_errors import AnswerFacts, CallFacts
from ._call import Call
from ._model import Model

T = TypeVar("T")

_ANY_JSON: TypeAdapter[object] = TypeAdapter(object)

# The statuses that mean the same from any server. A 404 does not: a wrong address also answers it.
_OF_ANY_SERVER: Mapping[int, type[errors.ProblemError]] = {
    401: errors.UnauthorizedError,
    408: errors.RequestTimeoutError,
    413: errors.PayloadTooLargeError,
    429: errors.RateLimitedError,
    502: errors.UnavailableError,
    503: errors.UnavailableError,
    504: errors.UnavailableError,
}


def read_answer(call: Call[T], url: str, status: int, headers: Mapping[str, str], content: bytes) -> T:
    """
    The model of an answer.
    :raises errors.AnswerError: for any answer that is not a model.
    """
    facts = CallFacts(call.operation, url, call.idempotency_key)
    answer = AnswerFacts(status, read_retry_after(headers.get("retry-after")), headers.get("request-id"))
    if 200 <= status < 300:
        warn_of(headers)
        try:
            if call.answer is None:
                return cast(T, _ANY_JSON.validate_json(content))
            return TypeAdapter(call.answer).validate_json(content)
        except ValidationError as err:
            # Not as the cause: its text can hold a part of the answer.
            raise _unreadable(err, facts, answer) from None
    raise _error_of(facts, answer, content)


class _Left(Model):
    """The batch that a 422 names as left incomplete."""

    batch_id: str | None = None
    rows_stored: int | None = None


def warn_of(headers: Mapping[str, str]) -> None:
    """Warns the developer of a test account of values that no payer would know."""
    doubtful = headers.get("doubtful-members")
    if doubtful is not None:
        message = f"the service took the request, but no payer would know the values of: {doubtful}"
        warnings.warn(errors.DoubtfulMembersWarning(message), stacklevel=2)


class LineReader(Generic[T]):
    """Cuts an answer into its lines, each of which is an item, and knows whether the line that ends it came."""

    def __init__(self, call: Call[T], url: str) -> None:
        self._facts = CallFacts(call.operation, url)
        # Each operation that answers lines has a model of them.
        self._items: TypeAdapter[T] = TypeAdapter(cast(type[T], call.answer))
        self._rest = b""
        self._has_ended = False

    def feed(self, chunk: bytes) -> Iterator[T]:
        """:raises errors.UnexpectedAnswerError: for a line that is not an item"""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            try:
                value = json.loads(line)
                if isinstance(value, dict) and "end" in value:
                    self._has_ended = True
                    continue
                item = self._items.validate_json(line)
            except ValidationError as err:
                raise _unreadable(err, self._facts, AnswerFacts(200)) from None
            except ValueError:
                message = "the answer is not lines of JSON"
                raise errors.UnexpectedAnswerError(message, self._facts, AnswerFacts(200)) from None
            yield item

    def close(self) -> None:
        """:raises errors.NoConnectionError: where the answer was cut off"""
        if not self._has_ended:
            raise errors.NoConnectionError("the answer was cut off before its last line", self._facts)


def _unreadable(
    err: ValidationError, facts: CallFacts, answer: AnswerFacts
) -> errors.UnexpectedAnswerError:
    where = ".".join(str(part) for part in err.errors(include_input=False)[0]["loc"])
    message = f"the answer is not one that this version can read{where and f', at {where}'}"
    return errors.UnexpectedAnswerError(message, facts, answer)


def _error_of(facts: CallFacts, answer: AnswerFacts, content: bytes) -> errors.AnswerError:
    if answer.status == 422:
        try:
            body = models.HTTPValidationError.model_validate_json(content)
        except ValidationError:
            body = None
        if body is not None and body.detail is not None:
            left = _Left.model_validate(body.model_extra or {})
            return errors.ValidationFailedError(
                body.detail, facts, answer, left.batch_id, left.rows_stored
            )
    try:
        problem = models.Problem.model_validate_json(content)
    except ValidationError:  # of a proxy
        problem = None
    if problem is not None:
        of_code = errors.PROBLEMS.get(problem.code, errors.ProblemError)
        return of_code(problem, facts, answer)
    of_status = _OF_ANY_SERVER.get(answer.status)
    if of_status is None:
        return errors.UnexpectedAnswerError("unexpected answer", facts, answer)
    return of_status(None, facts, answer)


def read_retry_after(value: str | None) -> int | None:
    """The seconds a `Retry-After` asks to wait: RFC 9110, 10.2.3, seconds or a date. None for anything else."""
    if value is None:
        return None
    if value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    seconds = (at.astimezone(timezone.utc) - datetime.now(timezone.utc)).total_seconds()
    return max(0, -int(-seconds // 1))
