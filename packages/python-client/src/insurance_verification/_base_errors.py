"""The errors without a problem code of the service. The module `errors` has them and one class for each code."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from . import models


@dataclass(frozen=True)
class CallFacts:
    """What every error knows about the failed call."""

    operation: str
    url: str | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True)
class AnswerFacts:
    """What an error answer says outside its body."""

    status: int
    retry_after_seconds: int | None = None
    request_trace: str | None = None


class InsuranceVerificationError(Exception):
    """
    The base class of all errors. Branch on the class and its fields; the text is for logs: it names the operation and
    the service's address, and holds nothing of the request or the answer.
    """

    operation: str
    """The operation's name in the contract: `requests.create`."""
    url: str | None
    """The service's address; None when no call was made, as for a webhook."""
    idempotency_key: str | None
    """
    The Idempotency-Key of a failed `requests.create`. Send the same input with the same key again, now or in an hour:
    if the request was stored after all, it is not stored twice.
    """

    def __init__(self, message: str, call: CallFacts) -> None:
        where = "" if call.url is None else f" at {call.url}"
        super().__init__(f"{call.operation}{where}: {message}")
        self.operation = call.operation
        self.url = call.url
        self.idempotency_key = call.idempotency_key

    def __reduce__(self) -> tuple[object, ...]:
        # Python's own would call the class with the text only, and a pool of processes hangs on an error that it cannot read.
        return _unpickle, (type(self), str(self), self.__dict__)


def _unpickle(
    of_class: type[InsuranceVerificationError], text: str, fields: dict[str, object]
) -> InsuranceVerificationError:
    err = of_class.__new__(of_class, text)
    err.__dict__.update(fields)
    return err


class UnusableInputError(InsuranceVerificationError, ValueError):
    """The input cannot be sent: it is not what the operation takes. No byte of it was sent, or of rows none after it."""

    def __init__(self, message: str, call: CallFacts) -> None:
        super().__init__(f"the input cannot be sent: {message}", call)


class DoubtfulMembersWarning(UserWarning):
    """
    The service took a request of a test account, but no payer would know the values of the members that it names, such as
    an NPI with another check digit.
    """


class AnswerError(InsuranceVerificationError):
    """The service, or a proxy before it, answered with an error."""

    status: int
    """The HTTP status."""
    retry_after_seconds: int | None
    """Seconds the service asked to wait; None when it did not say."""
    request_trace: str | None
    """The answer's header `request-id`, which the service's log has too; None without one."""

    def __init__(self, message: str, call: CallFacts, answer: AnswerFacts) -> None:
        super().__init__(f"{message} ({answer.status})", call)
        self.status = answer.status
        self.retry_after_seconds = answer.retry_after_seconds
        self.request_trace = answer.request_trace


class ProblemError(AnswerError):
    """An answer with a problem code. Each code has its own class; a code of a newer service is this class itself."""

    sentence: ClassVar[str] = "The service has a problem that this version does not know."
    problem: models.Problem | None
    """The answer's body: `code`, `required_scopes`, `violated_policies`; None when a proxy answered."""

    def __init__(self, problem: models.Problem | None, call: CallFacts, answer: AnswerFacts) -> None:
        super().__init__(self.sentence, call, answer)
        self.problem = problem


class ValidationFailedError(AnswerError):
    """422: the input is invalid. Sending it again unchanged fails again."""

    detail: Sequence[models.ValidationError]
    """All faults, one for each location: `loc`, `msg`, `type`. Never the value."""
    batch_id: str | None
    """The batch that a failed `batches.create` left incomplete; None elsewhere."""
    rows_stored: int | None
    """The rows of that batch that are stored: the first ones."""

    def __init__(
        self,
        detail: Sequence[models.ValidationError],
        call: CallFacts,
        answer: AnswerFacts,
        batch_id: str | None = None,
        rows_stored: int | None = None,
    ) -> None:
        super().__init__(_invalidity(detail), call, answer)
        self.detail = detail
        self.batch_id = batch_id
        self.rows_stored = rows_stored


def _invalidity(detail: Sequence[models.ValidationError]) -> str:
    """The place and the type of the first fault."""
    if not detail:
        return "the input is not valid"
    first = detail[0]
    if first.type == "idempotency_key_reused":
        return "the Idempotency-Key was used with another input"
    # The name of a member that is not known is its sender's, and could be anything.
    loc = [*first.loc[:-1], ""] if first.type == "extra_forbidden" else first.loc
    place = ".".join(_name(part) for part in loc)
    return f"the input is not valid at {place}: {_name(first.type)}; see detail for the faults, {len(detail)}"


def _name(part: str | int) -> str:
    """A name of the contract, or a number; anything else could be somebody's data."""
    return str(part) if isinstance(part, int) or re.fullmatch(r"[a-z][a-z0-9_-]{0,63}", part) else "…"


class UnexpectedAnswerError(AnswerError):
    """An answer that no other class covers: a redirect, an answer that is not this service's."""


class NoAnswerError(InsuranceVerificationError):
    """No complete answer arrived. Whether the call took effect is unknown."""


class NoConnectionError(NoAnswerError):
    """The connection failed, or broke before the complete answer arrived."""


class NoAnswerInTimeError(NoAnswerError):
    """The service was silent for `timeout_seconds`."""


class WebhookVerificationError(InsuranceVerificationError):
    """A webhook that is not proven to be the service's: its signature, its age or its headers. Answer 401."""


class WebhookContentError(InsuranceVerificationError):
    """A webhook signed by the service whose body is not a result that this version can read."""
