import random
from dataclasses import dataclass
from typing import Any

from . import errors
from ._call import Call

# The longest first wait, in addition to what the service asks for; it doubles with each attempt.
_FIRST_DELAY_SECONDS = 0.25


@dataclass(frozen=True)
class RetryLimits:
    count_max: int
    """Further attempts after the first one."""
    delay_seconds_max: float
    """The longest wait between two attempts."""

    def delay_after(
        self, err: errors.InsuranceVerificationError, call: Call[Any], retry_count: int
    ) -> float | None:
        """
        Seconds to wait before the next attempt; None when there is no next one.

        | failed with                        | retried                                              |
        | ---------------------------------- | ---------------------------------------------------- |
        | 409 `idempotency_in_progress`, 429 | yes: nothing was done                                |
        | 408, 502, 503, 504, no answer      | only an idempotent call                              |
        | anything else                      | no                                                   |

        Rows are sent once: those that were read cannot be read again.
        """
        if call.body is not None and not isinstance(call.body, bytes):
            return None
        if retry_count >= self.count_max or not _may_pass(err, call):
            return None
        asked = (err.retry_after_seconds or 0) if isinstance(err, errors.AnswerError) else 0
        if asked > self.delay_seconds_max:
            return None
        # With full jitter, which spreads out callers that failed together.
        delay: float = asked + random.random() * _FIRST_DELAY_SECONDS * 2**retry_count
        return min(delay, self.delay_seconds_max)


def _may_pass(err: errors.InsuranceVerificationError, call: Call[Any]) -> bool:
    if isinstance(err, errors.IdempotencyInProgressError):
        return True
    if isinstance(err, errors.ProblemError) and err.status == 429:
        return True
    temporary = (errors.NoAnswerError, errors.RequestTimeoutError, errors.UnavailableError)
    return call.repeatable and isinstance(err, temporary)
