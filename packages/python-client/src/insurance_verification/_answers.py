from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from . import errors, models
from ._base_errors import AnswerFacts, CallFacts
from ._call import Call

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
        try:
            if call.answer is None:
                return cast(T, _ANY_JSON.validate_json(content))
            return TypeAdapter(call.answer).validate_json(content)
        except ValidationError as err:
            where = ".".join(str(part) for part in err.errors(include_input=False)[0]["loc"])
            message = f"the answer is not one that this version can read{where and f', at {where}'}"
            # Not as the cause: its text can hold a part of the answer.
            raise errors.UnexpectedAnswerError(message, facts, answer) from None
    raise _error_of(facts, answer, content)


def _error_of(facts: CallFacts, answer: AnswerFacts, content: bytes) -> errors.AnswerError:
    if answer.status == 422:
        try:
            detail = models.HTTPValidationError.model_validate_json(content).detail
        except ValidationError:
            detail = None
        if detail is not None:
            return errors.ValidationFailedError(detail, facts, answer)
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
