"""A provider's program in Python, over the client that openapi-python-client generates."""

import json
import os
import time

from insurance_verification_api_client import AuthenticatedClient
from insurance_verification_api_client.api.delivery import deliveries_list
from insurance_verification_api_client.api.intake import batches_get, batches_results, requests_create, requests_get
from insurance_verification_api_client.api.output import requests_benefits
from insurance_verification_api_client.models import (
    PatientInfo, Payer, PayerInfo, ProviderInfo, ReceivedBatch, RequestInfo, RequestState, ResponseModel,
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


def delivered() -> ResponseModel:
    headers = {f"webhook-{name}": env[f"WEBHOOK_{name.upper()}"] for name in ("id", "timestamp", "signature")}
    return ResponseModel.from_dict(Webhook(env["IV_WEBHOOK_SECRET"]).verify(env["WEBHOOK_BODY"], headers))


client = AuthenticatedClient(base_url=env["IV_URL"], token=env["IV_KEY"], auth_header_name="x-key", prefix="")
read = requests_create.sync(client=client, body=request("https://clinic.example/verified"))
for _ in range(100):
    if read.state != RequestState.PENDING:
        break
    time.sleep(0.2)
    read = requests_get.sync(request_id=read.request_id, client=client)
benefits = requests_benefits.sync(request_id=read.request_id, client=client)
absent = requests_get.sync_detailed(request_id="req_00000000000000000000000000", client=client)
refused = requests_create.sync_detailed(client=client, body=request("no address"))
result = delivered()
# The generator writes no call whose body is neither JSON nor a form.
headers = {"idempotency-key": "visits", "content-type": "application/x-ndjson"}
sent = client.get_httpx_client().post("/batches", content=env["IV_ROWS"], headers=headers)
batch_id = ReceivedBatch.from_dict(sent.raise_for_status().json()).batch_id
results = batches_results.sync(batch_id=batch_id, client=client)
deliveries = deliveries_list.sync(client=client)
print(json.dumps({
    "state": read.state,
    "coverages": len(benefits.coverages),
    "absent": absent.status_code,
    "refused": refused.status_code,
    "delivered": result.request.state,
    "plans": len(result.insurance_data),
    "rows": batches_get.sync(batch_id=batch_id, client=client).counters.received,
    "lines": len(results.splitlines()),
    "event": next(one.event_type for one in deliveries.items if one.request_id is None),
}))
