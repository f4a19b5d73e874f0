"""A provider's program in Python, over the client that openapi-generator generates."""

import json
import os
import time

from openapi_client import (
    ApiClient, ApiException, Configuration, DeliveryApi, IntakeApi, OutputApi, PatientInfo, Payer, PayerInfo, ProviderInfo,
    RequestInfo, RequestState, ResponseModel,
)
from standardwebhooks import Webhook

env = os.environ


def request(callback_url: str) -> RequestInfo:
    return RequestInfo(
        patient_info=PatientInfo(subscriber_id="TEST-BENEFITS-DENTAL"),
        payer_info=PayerInfo(name=Payer("Payer Plan 1")),
        provider_info=ProviderInfo(npi="1234567893", name="Main Street Dental"),
        callback_url=callback_url,
    )


def status_of(call) -> int:
    try:
        call()
    except ApiException as err:
        return err.status
    return 0


def delivered() -> ResponseModel:
    headers = {f"webhook-{name}": env[f"WEBHOOK_{name.upper()}"] for name in ("id", "timestamp", "signature")}
    return ResponseModel.from_dict(Webhook(env["IV_WEBHOOK_SECRET"]).verify(env["WEBHOOK_BODY"], headers))


client = ApiClient(Configuration(host=env["IV_URL"], api_key={"apiKey": env["IV_KEY"]}))
intake = IntakeApi(client)
read = intake.requests_create(request("https://clinic.example/verified"))
for _ in range(100):
    if read.state != RequestState.PENDING:
        break
    time.sleep(0.2)
    read = intake.requests_get(read.request_id)
benefits = OutputApi(client).requests_benefits(read.request_id)
result = delivered()
batch_id = intake.batches_create("visits", env["IV_ROWS"]).batch_id
results = intake.batches_results(batch_id)
deliveries = DeliveryApi(client).deliveries_list()
print(json.dumps({
    "state": read.state,
    "coverages": len(benefits.coverages),
    "absent": status_of(lambda: intake.requests_get("req_00000000000000000000000000")),
    "refused": status_of(lambda: intake.requests_create(request("ftp://clinic.example"))),
    "delivered": result.request.state,
    "plans": len(result.insurance_data),
    "rows": intake.batches_get(batch_id).counters.received,
    "lines": len(results.splitlines()),
    "event": next(one.event_type for one in deliveries.items if one.request_id is None),
}))
