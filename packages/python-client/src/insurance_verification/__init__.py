"""A client of the Insurance Verification Service, and the check of its signed webhooks."""

from . import errors, models
from ._client import AsyncClient, Client
from ._webhook import Webhook, verify_webhook

__all__ = ["AsyncClient", "Client", "Webhook", "errors", "models", "verify_webhook"]
