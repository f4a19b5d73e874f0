"""What a consumer writes, for the type checkers; nothing runs it."""

from datetime import date
from typing import assert_type

from insurance_verification import AsyncClient, Client, Webhook, errors, models, verify_webhook


def use(client: Client, body: models.RequestInfo) -> None:
    request = client.requests.create(body, idempotency_key="visit-1", service_date=date(2026, 12, 3))
    assert_type(request, models.RequestModel)
    assert_type(request.request_id, str | None)
    for one in client.requests.list_all(state="pending", limit=50):
        assert_type(one, models.RequestModel)
    row = models.BatchRow(**dict(body), reference="visit-1")
    assert_type(client.batches.create([row], idempotency_key="march"), models.ReceivedBatch)
    for result in client.batches.results("bat_1", outcome="active"):
        assert_type(result, models.BatchResult)
    client.batches.create([row])  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]
    assert_type(client.requests.result("req_1").insurance_data, list[models.InsurancePlanData])
    try:
        assert_type(verify_webhook(b"", {}, ""), Webhook)
    except errors.ValidationFailedError as err:
        print([fault.loc for fault in err.detail])
    except errors.AnswerError as err:
        assert_type(err.retry_after_seconds, int | None)
    client.requests.get(request_id=7)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    models.PatientInfo(name="Jane Doe")  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]


async def use_async(client: AsyncClient) -> None:
    assert_type(await client.payers.list(), models.PayerList)
    async for one in client.requests.list_all():
        assert_type(one.input.payer_info.name, str)
