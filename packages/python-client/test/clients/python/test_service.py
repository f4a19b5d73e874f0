"""Against the service that the test started: IV_URL, IV_API_KEY of a test account, IV_WEBHOOK_SECRET."""

import os
import queue
import threading
import time
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import anyio
import pytest

from insurance_verification import AsyncClient, Client, errors, models, verify_webhook

URL = os.environ["IV_URL"]
KEY = os.environ["IV_API_KEY"]


def a_request(member: str, callback_url: str = "https://clinic.example/verified") -> models.RequestInfo:
    return models.RequestInfo(
        patient_info=models.PatientInfo(subscriber_id=member, dob="1984-05-17", name="Jane Doe"),
        payer_info=models.PayerInfo(name="Payer Plan 1"),
        provider_info=models.ProviderInfo(npi="1234567893", name="Main Street Dental"),
        cpt_code_coverage=["D1110"],
        callback_url=callback_url,
    )


@pytest.fixture
def client() -> Iterator[Client]:
    with Client(URL, KEY) as client:
        yield client


def result_of(client: Client, request: models.RequestModel) -> models.ResponseModel:
    for _ in range(300):
        try:
            return client.requests.result(request.request_id or "")
        except errors.ResultNotReadyError as err:
            assert err.status == 404 and err.problem and err.problem.code == "result_not_ready"
            time.sleep(0.1)
    raise AssertionError("no result")


def test_a_create_again_with_its_key_is_the_same_request(client: Client) -> None:
    first = client.requests.create(a_request("TEST-ACTIVE"), idempotency_key="visit-1")
    again = client.requests.create(a_request("TEST-ACTIVE"), idempotency_key="visit-1")
    other = client.requests.create(a_request("TEST-ACTIVE"))
    assert first.request_id == again.request_id != other.request_id
    assert first.input.patient_info.subscriber_id == "TEST-ACTIVE"
    assert client.requests.get(first.request_id or "").received_timestamp == first.received_timestamp


def test_a_result_and_its_benefits_are_typed(client: Client) -> None:
    request = client.requests.create(a_request("TEST-BENEFITS-DENTAL"))
    result = result_of(client, request)
    assert result.insurance_data[0].plan_info.eligibility_status == "Active"
    benefits = client.requests.benefits(request.request_id or "")
    assert benefits.coverages[0].benefits
    assert benefits.verification_time and benefits.verification_time.tzinfo


def test_list_all_reads_every_page_once(client: Client) -> None:
    made = {client.requests.create(a_request("TEST-ACTIVE")).request_id for _ in range(5)}
    listed = [request.request_id for request in client.requests.list_all(limit=2)]
    assert made <= set(listed)
    assert len(listed) == len(set(listed)) > 4


def test_every_read_of_a_provider_answers_a_model(client: Client) -> None:
    request = client.requests.create(a_request("TEST-BENEFITS-DENTAL"))
    result_of(client, request)
    request_id = request.request_id or ""
    assert client.requests.view(request_id).state
    assert client.requests.reveal(request_id).request.request_id == request_id
    assert client.requests.proof(request_id)
    assert client.requests.attempts(request_id).items
    assert client.requests.deliveries(request_id)
    assert client.requests.exchanges(request_id)
    assert client.requests.stats()
    found = client.requests.search(models.SearchRequests(subscriber_id="TEST-BENEFITS-DENTAL"))
    assert request_id in [item.request_id for item in found.items]
    assert len(client.payers.list().items) == 4
    assert client.payers.resolve(text="Payer Plan 1").items
    assert client.sessions.me().scopes
    assert list(client.deliveries.list_all(limit=1)) is not None
    assert client.reports.get(of="requests")


def test_the_errors_of_the_service_have_their_classes(client: Client) -> None:
    with pytest.raises(errors.NotFoundError) as absent:
        client.requests.get("req_0")
    assert absent.value.request_trace and absent.value.operation == "requests.get"
    for unsendable in ("", ".", ".."):
        with pytest.raises(errors.NotFoundError):
            client.requests.get(unsendable)

    with pytest.raises(errors.ValidationFailedError) as invalid:
        client.requests.create(a_request("W1", callback_url="CANARY"), idempotency_key="visit-2")
    assert invalid.value.detail[0].loc == ["body", "callback_url"]
    assert invalid.value.detail[0].type and invalid.value.detail[0].msg
    assert invalid.value.idempotency_key == "visit-2"
    assert "CANARY" not in str(invalid.value) and "Jane" not in repr(invalid.value)

    with pytest.raises(errors.UnauthorizedError, match="x-key"):
        Client(URL, "wrong").requests.list()
    with pytest.raises(errors.ForbiddenError) as forbidden:
        client.webhook_secret.get()
    assert forbidden.value.problem and forbidden.value.problem.required_scopes == ["secrets"]
    with pytest.raises(errors.RequestFinishedError):
        request = client.requests.create(a_request("TEST-ACTIVE"))
        result_of(client, request)
        client.requests.close(request.request_id or "", models.CloseRequest(reason="withdrawn"))


def test_a_delivery_is_verified_and_typed(client: Client) -> None:
    came: queue.Queue[tuple[bytes, dict[str, str]]] = queue.Queue()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            came.put((self.rfile.read(int(self.headers["content-length"])), dict(self.headers.items())))
            self.send_response(204)
            self.end_headers()

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    request = client.requests.create(
        a_request("TEST-ACTIVE", f"http://127.0.0.1:{server.server_address[1]}/verified")
    )
    body, headers = came.get(timeout=30)
    server.shutdown()

    webhook = verify_webhook(body, headers, os.environ["IV_WEBHOOK_SECRET"])
    assert webhook.result.request.request_id == request.request_id
    assert webhook.result.request.state == "complete"
    assert webhook.version == 1 and webhook.id and webhook.timestamp.tzinfo

    for forged, sent in [
        (body + b" ", headers),
        (body, {**headers, "webhook-signature": "v1"}),
        (body, {**headers, "webhook-signature": "v1,%%%"}),
        (body, {**headers, "webhook-timestamp": "nan"}),
        (body, {}),
        (b"\xff", headers),
    ]:
        with pytest.raises(errors.WebhookVerificationError):
            verify_webhook(forged, {name.lower(): value for name, value in sent.items()}, os.environ["IV_WEBHOOK_SECRET"])
    with pytest.raises(ValueError, match="secret"):
        verify_webhook(body, headers, "")


def a_row(number: int, callback_url: str = "https://clinic.example/verified") -> models.BatchRow:
    return models.BatchRow(**dict(a_request("TEST-ACTIVE", callback_url)), reference=f"visit-{number}")


def test_a_batch_is_streamed_and_its_results_are_typed(client: Client) -> None:
    read = 0

    def rows() -> Iterator[models.BatchRow]:
        nonlocal read
        for read in range(1, 1_001):
            yield a_row(read, "nowhere") if read == 17 else a_row(read)

    batch = client.batches.create(rows(), idempotency_key="march", label="Visits of March")
    assert read == batch.counters.received == 1_000
    assert batch.counters.rejected == 1 and batch.label == "Visits of March"
    assert [(one.row, one.reference) for one in batch.errors] == [(17, "visit-17")]
    assert [one.row for one in client.batches.errors(batch.batch_id)] == [17]

    again = client.batches.create(rows(), idempotency_key="march", label="Visits of March")
    assert again.batch_id == batch.batch_id
    results = list(client.batches.results(batch.batch_id))
    assert [one.row for one in results] == [row for row in range(1, 1_001) if row != 17]
    assert client.batches.get(batch.batch_id).state in ("running", "ended")
    assert batch.batch_id in [one.batch_id for one in client.batches.list_all()]

    for _ in range(300):
        active = next(client.batches.results(batch.batch_id, outcome="active"), None)
        if active is not None:
            break
        time.sleep(0.1)
    assert active and active.result and active.result[0].plan_info.eligibility_status == "Active"


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_batch_of_an_async_iterator(backend: str) -> None:
    async def rows() -> AsyncIterator[models.BatchRow]:
        for number in range(1, 201):
            yield a_row(number)

    async def use() -> None:
        async with AsyncClient(URL, KEY) as client:
            batch = await client.batches.create(rows(), idempotency_key=f"async-{backend}")
            assert batch.counters.received == 200 and batch.errors == []
            read = [one.row async for one in client.batches.results(batch.batch_id)]
            assert read == list(range(1, 201))
            listed = await client.batches.create(map(a_row, range(3)), idempotency_key=f"list-{backend}")
            assert (await client.batches.cancel(listed.batch_id)).state in ("canceling", "ended")

    anyio.run(use, backend=backend)


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_the_same_with_await(backend: str) -> None:
    async def use() -> None:
        async with AsyncClient(URL, KEY) as client:
            first = await client.requests.create(a_request("TEST-ACTIVE"), idempotency_key=f"visit-{backend}")
            again = await client.requests.create(a_request("TEST-ACTIVE"), idempotency_key=f"visit-{backend}")
            assert first.request_id == again.request_id
            listed = [request.request_id async for request in client.requests.list_all(limit=2)]
            assert first.request_id in listed and len(listed) == len(set(listed))
            with pytest.raises(errors.NotFoundError):
                await client.requests.get("req_0")

    anyio.run(use, backend=backend)
