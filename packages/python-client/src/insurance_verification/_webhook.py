import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Protocol

import pydantic
import standardwebhooks

from . import models
from ._base_errors import CallFacts
from .errors import UnusableInputError, WebhookContentError, WebhookVerificationError

_FACTS = CallFacts("verificationResult")


class Headers(Protocol):
    """The headers of Flask, Django, Starlette or `http.server`, or a dict; the names in any case."""

    def items(self) -> Iterable[tuple[str, str]]: ...


@dataclass(frozen=True)
class Webhook:
    """A webhook whose signature, age and content were verified."""

    id: str
    """The message, the same on every attempt: the key to deduplicate on."""
    timestamp: datetime
    """When this attempt was sent."""
    version: int | None
    """
    The version of the result, from 1; a correction is a new message with the next version. Messages arrive in any order:
    keep the highest. The header is not signed; None when it was removed in transit.
    """
    result: models.ResponseModel
    """The request, with its state, and the coverages found for it."""


def verify_webhook(body: bytes | str, headers: Headers, secret: str) -> Webhook:
    """
    Verifies a webhook and reads its result. Deduplicate on `id`, and answer 2xx once the result is stored.

    :param body: the bytes as they came, never parsed and written again
    :param secret: `whsec_…`, as `webhook_secret.get` returns it
    :raises WebhookVerificationError: when it is not proven to be the service's, or the body is not the raw one
    :raises WebhookContentError: when it is the service's, but its body is not a result
    :raises UnusableInputError: when the secret is not one, or the headers are no mapping
    """
    if not isinstance(secret, str) or not re.fullmatch(r"whsec_[A-Za-z0-9+/]{22,}={0,2}", secret):
        raise UnusableInputError("the secret must be whsec_ and base64", _FACTS)
    if not isinstance(body, (bytes, bytearray, str)):
        # Parsed and written again, it would have other bytes than those that were signed.
        what = f"the body is not what came but {type(body).__name__}: pass the raw body, as bytes"
        raise WebhookVerificationError(what, _FACTS)
    if not hasattr(headers, "items"):
        should = "the headers should be a mapping, as a framework has them"
        raise UnusableInputError(f"{should}, not {type(headers).__name__}", _FACTS)
    sent = {name.lower(): value for name, value in headers.items()}
    try:
        standardwebhooks.Webhook(secret).verify(body, sent, json_parse=False)
    except standardwebhooks.WebhookVerificationError as err:
        raise WebhookVerificationError(str(err), _FACTS) from None
    except ValueError:  # of a signature or a body that cannot be decoded
        raise WebhookVerificationError("the webhook is malformed", _FACTS) from None
    try:
        result = models.ResponseModel.model_validate_json(body)
    except pydantic.ValidationError as err:
        faults = err.error_count()
        raise WebhookContentError(f"the body is not a result (faults: {faults})", _FACTS) from None
    version = sent.get("verification-version", "")
    return Webhook(
        id=sent["webhook-id"],
        timestamp=datetime.fromtimestamp(float(sent["webhook-timestamp"]), timezone.utc),
        version=int(version) if re.fullmatch(r"[1-9]\d{0,8}", version, re.ASCII) else None,
        result=result,
    )
