"""Against a server that fails as it is told, since the service does not fail on demand."""

import json
import pickle
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import anyio
import pytest
import standardwebhooks

from insurance_verification import AsyncClient, Client, errors, models, verify_webhook

REQUEST = {
    "request_id": "req_1",
    "input": {
        "patient_info": {"subscriber_id": "W1"},
        "payer_info": {"name": "A payer of a newer service"},
        "provider_info": {"npi": "1234567893", "name": "Main Street Dental"},
        "callback_url": "https://clinic.example/verified",
    },
    "received_timestamp": "2026-11-20T12:00:00Z",
    "state": "a_state_of_a_newer_service",
    "member_of_a_newer_service": {"kept": True},
}


@dataclass
class Answer:
    status: int
    body: object = None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Failing:
    url: str
    answers: list[Answer | None]
    """In order; None closes the connection without an answer."""
    came: list[dict[str, str]] = field(default_factory=list)


@pytest.fixture
def failing() -> Iterator[Failing]:
    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers["content-length"] or 0))
            if self.headers["transfer-encoding"] == "chunked":
                while size := int(self.rfile.readline(), 16):
                    self.rfile.read(size + len("\r\n"))
            state.came.append({name.lower(): value for name, value in self.headers.items()})
            answer = state.answers.pop(0)
            if answer is None:
                self.close_connection = True
                return
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            content = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = answer

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state = Failing(f"http://127.0.0.1:{server.server_address[1]}", [])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield state
    server.shutdown()


def problem(code: str, status: int, **headers: str) -> Answer:
    body = {"type": f"/problems/{code}", "title": "CANARY", "status": status, "detail": "CANARY", "code": code}
    return Answer(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


INPUT = models.RequestInfo.model_validate(REQUEST["input"])


def test_a_create_that_fails_twice_is_sent_with_one_key(failing: Failing) -> None:
    failing.answers = [None, problem("unavailable", 503), Answer(200, REQUEST)]
    assert Client(failing.url, "key").requests.create(INPUT).request_id == "req_1"
    assert len({sent["idempotency-key"] for sent in failing.came}) == 1 < len(failing.came)

    failing.came.clear()
    failing.answers = [None, Answer(502), Answer(504), Answer(200, REQUEST)]

    async def use() -> None:
        async with AsyncClient(failing.url, "key") as client:
            assert (await client.requests.create(INPUT)).request_id == "req_1"

    anyio.run(use)
    assert len({sent["idempotency-key"] for sent in failing.came}) == 1
    assert len(failing.came) == 4


def test_retry_after_is_honoured_up_to_the_longest_wait(failing: Failing) -> None:
    failing.answers = [problem("rate_limited", 429, retry_after="1"), Answer(200, REQUEST)]
    began = time.monotonic()
    Client(failing.url, "key").requests.get("req_1")
    assert time.monotonic() - began >= 1

    failing.answers = [problem("rate_limited", 429, retry_after="60")]
    with pytest.raises(errors.RateLimitedError) as limited:
        Client(failing.url, "key").requests.create(INPUT)
    assert limited.value.retry_after_seconds == 60
    assert limited.value.idempotency_key == failing.came[-1]["idempotency-key"]


def test_what_may_have_taken_effect_is_not_repeated(failing: Failing) -> None:
    client = Client(failing.url, "key")
    reason = models.CloseRequest(reason="withdrawn")
    failing.answers = [problem("unavailable", 503)]
    with pytest.raises(errors.UnavailableError):
        client.requests.close("req_1", reason)
    failing.answers = [None]
    with pytest.raises(errors.NoConnectionError):
        client.requests.close("req_1", reason)
    failing.answers = [problem("rate_limited", 429), Answer(200, REQUEST)]
    assert client.requests.close("req_1", reason).request_id == "req_1"
    assert failing.answers == []


ROW = models.BatchRow(**dict(INPUT), reference="visit-1")


def test_rows_are_sent_once_and_the_error_has_their_key(failing: Failing) -> None:
    failing.answers = [problem("unavailable", 503), problem("idempotency_in_progress", 409, retry_after="1")]
    with pytest.raises(errors.UnavailableError) as failed:
        Client(failing.url, "key").batches.create([ROW], idempotency_key="march")
    assert failed.value.idempotency_key == "march"

    async def use() -> None:
        async with AsyncClient(failing.url, "key") as client:
            with pytest.raises(errors.IdempotencyInProgressError):
                await client.batches.create([ROW], idempotency_key="march")

    anyio.run(use)
    assert len(failing.came) == 2
    assert failing.came[0]["content-type"] == "application/x-ndjson"


def test_what_reading_the_rows_raises_is_raised() -> None:
    def rows() -> Iterator[models.BatchRow]:
        yield ROW
        raise LookupError("the cursor was closed")

    with socket.create_server(("127.0.0.1", 0)) as server:
        client = Client(f"http://127.0.0.1:{server.getsockname()[1]}", "key")
        with pytest.raises(LookupError, match="the cursor was closed"):
            client.batches.create(rows(), idempotency_key="march")


LINE = b'{"row": 1, "reference": "a\xe2\x80\xa8b", "loc": ["body"], "type": "t", "msg": "CANARY", "newer": 1}\n'


def test_lines_end_with_the_line_that_says_so(failing: Failing) -> None:
    failing.answers = [problem("unavailable", 503), Answer(200, LINE * 2 + b'{"end":true,"rows":2}\n')]
    read = list(Client(failing.url, "key").batches.errors("bat_1", after=7))
    # A separator of lines in Unicode is a part of a line.
    assert [(one.row, one.reference) for one in read] == [(1, "a\u2028b")] * 2


@pytest.mark.parametrize(
    ("body", "came", "expected"),
    [
        (LINE, 1, errors.NoConnectionError),
        (LINE + b'{"end":tr', 1, errors.NoConnectionError),
        (b"<html>CANARY\n", 0, errors.UnexpectedAnswerError),
        (b'{"row": "CANARY"}\n', 0, errors.UnexpectedAnswerError),
    ],
)
def test_an_answer_that_was_cut_off_is_an_error(
    failing: Failing, body: bytes, came: int, expected: type[errors.InsuranceVerificationError]
) -> None:
    failing.answers = [Answer(200, body), Answer(200, body)]
    read: list[models.BatchRowError] = []
    with pytest.raises(expected) as failed:
        for one in Client(failing.url, "key").batches.errors("bat_1"):
            read.append(one)
    assert len(read) == came and "CANARY" not in str(failed.value)

    async def use() -> None:
        async with AsyncClient(failing.url, "key") as client:
            with pytest.raises(expected):
                async for _ in client.batches.errors("bat_1"):
                    pass

    anyio.run(use)


def test_all_attempts_fail_with_the_last_error_and_its_key(failing: Failing) -> None:
    failing.answers = [problem("unavailable", 503, request_id="trace-1")] * 2
    client = Client(failing.url, "key", retry_count_max=1)
    with pytest.raises(errors.UnavailableError) as failed:
        client.requests.create(INPUT)
    assert failed.value.request_trace == "trace-1"
    assert failed.value.idempotency_key == failing.came[0]["idempotency-key"]
    assert "CANARY" not in str(failed.value)

    again = pickle.loads(pickle.dumps(failed.value))  # from another process
    assert type(again) is errors.UnavailableError and str(again) == str(failed.value)
    assert again.request_trace == "trace-1"

    with pytest.raises(errors.NoConnectionError, match="requests.list at http://127.0.0.1:9: .*ConnectError"):
        Client("http://127.0.0.1:9", "key", retry_count_max=0).requests.list()


def test_a_silent_service_is_an_error_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(errors.NoAnswerInTimeError, match="requests.get at .*: no answer in time"):
            Client(url, "key", timeout_seconds=0.2, retry_count_max=1).requests.get("req_1")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (problem("a_code_of_a_newer_service", 409), errors.ProblemError),
        (problem("internal", 500), errors.InternalError),
        (Answer(404, "of a proxy"), errors.UnexpectedAnswerError),
        (Answer(401, "of a proxy"), errors.UnauthorizedError),
        (Answer(302, None, {"location": "https://elsewhere.example"}), errors.UnexpectedAnswerError),
        (Answer(200, {"request_id": ["CANARY"]}), errors.UnexpectedAnswerError),
        (Answer(422, {"detail": "not a list"}), errors.UnexpectedAnswerError),
    ],
)
def test_an_answer_is_an_error_of_its_class(
    failing: Failing, answer: Answer, expected: type[errors.AnswerError]
) -> None:
    failing.answers = [answer]
    with pytest.raises(errors.AnswerError) as failed:
        Client(failing.url, "key").requests.get("req_1")
    assert type(failed.value) is expected
    assert failed.value.status == answer.status
    assert "CANARY" not in str(failed.value) and failed.value.__cause__ is None


def test_what_a_newer_service_adds_is_kept(failing: Failing) -> None:
    failing.answers = [Answer(200, REQUEST)]
    request = Client(failing.url, "key").requests.get("req_1")
    assert request.state == "a_state_of_a_newer_service"
    assert request.model_extra == {"member_of_a_newer_service": {"kept": True}}


@pytest.mark.parametrize(
    "make",
    [
        lambda: Client("verify.example"),
        lambda: Client("https://user:CANARY@verify.example"),
        lambda: Client("https://verify.example", "CANARY key"),
        lambda: Client("https://verify.example", "key").requests.create(INPUT, idempotency_key=" CANARY"),
    ],
)
def test_a_mistake_is_named_without_its_value(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError) as wrong:
        make()
    assert "CANARY" not in str(wrong.value)


def test_a_signed_body_that_is_not_a_result_is_a_content_error() -> None:
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    at = datetime.now(timezone.utc)
    for body in ("CANARY", '{"request": "CANARY"}'):
        headers = {
            "Webhook-Id": "msg_1",
            "Webhook-Timestamp": str(int(at.timestamp())),
            "Webhook-Signature": standardwebhooks.Webhook(secret).sign("msg_1", at, body),
        }
        with pytest.raises(errors.WebhookContentError) as failed:
            verify_webhook(body, headers, secret)
        assert "CANARY" not in str(failed.value)


def test_a_parsed_body_is_no_webhook() -> None:
    secret = "whsec_" + "A" * 32
    with pytest.raises(errors.WebhookVerificationError, match="pass the raw body"):
        verify_webhook({"request": {}}, {}, secret)  # type: ignore[arg-type]
    with pytest.raises(errors.UnusableInputError):
        verify_webhook(b"{}", {}, '{"title":"Forbidden"}')
    for headers in (None, [(b"webhook-id", b"msg_1")]):
        with pytest.raises(errors.UnusableInputError, match="mapping"):
            verify_webhook(b"{}", headers, secret)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("loc", "type_", "message"),
    [
        (["body", "patient_info", "dob"], "missing", "the input is not valid at body.patient_info.dob: missing"),
        (["body", "Jane Doe"], "extra_forbidden", "the input is not valid at body.…: extra_forbidden"),
        (["header", "idempotency-key"], "idempotency_key_reused", "was used with another input"),
    ],
)
def test_a_422_names_its_place(failing: Failing, loc: list[str], type_: str, message: str) -> None:
    body = {"detail": [{"loc": loc, "msg": "CANARY", "type": type_}], "batch_id": "bat_1", "rows_stored": 7}
    failing.answers = [Answer(422, body)]
    with pytest.raises(errors.ValidationFailedError) as refused:
        Client(failing.url, "key").requests.create(INPUT)
    assert message in str(refused.value)
    assert "Jane" not in str(refused.value) and "CANARY" not in str(refused.value)
    assert (refused.value.batch_id, refused.value.rows_stored) == ("bat_1", 7)


def test_a_test_account_is_warned_of_doubtful_members(failing: Failing) -> None:
    failing.answers = [Answer(200, REQUEST, {"Doubtful-Members": "provider_info.npi"})]
    with pytest.warns(errors.DoubtfulMembersWarning, match=r"values of: provider_info\.npi"):
        Client(failing.url, "key").requests.create(INPUT)


ROW = models.BatchRow.model_validate({**REQUEST["input"], "reference": "a"})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    "rows", [b"reference\n", "reference\n", {"rows": []}, ROW, 7, None, [b"a line of a file"], [ROW, {"a": 1}]]
)
def test_what_is_no_row_is_refused_before_a_byte_is_sent(failing: Failing, rows: object) -> None:
    with pytest.raises(errors.UnusableInputError):
        Client(failing.url, "key").batches.create(rows, idempotency_key="k")  # type: ignore[arg-type]

    async def use() -> None:
        async with AsyncClient(failing.url, "key") as client:
            with pytest.raises(errors.UnusableInputError):
                await client.batches.create(rows, idempotency_key="k")  # type: ignore[arg-type]

    anyio.run(use)
    assert failing.came == []


def test_what_is_no_input_is_refused_with_a_class_of_the_package(failing: Failing) -> None:
    client = Client(failing.url, "key")
    for call in (
        lambda: client.requests.create({"patient_info": {}}),  # type: ignore[arg-type]
        lambda: client.requests.create(INPUT, idempotency_key="é"),
        lambda: client.requests.create(INPUT, needed_by="é"),  # type: ignore[arg-type]
        lambda: client.requests.get(None),  # type: ignore[arg-type]
        lambda: client.requests.get("\ud800"),
        lambda: client.requests.list(cursor="\ud800"),
        lambda: client.batches.create([ROW], idempotency_key="k", label="März"),
    ):
        with pytest.raises(errors.UnusableInputError):
            call()
    assert failing.came == []


def test_one_async_client_serves_several_event_loops(failing: Failing) -> None:
    client = AsyncClient(failing.url, "key")
    for backend in ("asyncio", "asyncio", "trio", "asyncio"):
        failing.answers = [Answer(200, REQUEST)]

        async def use() -> None:
            assert (await client.requests.get("req_1")).request_id == "req_1"

        anyio.run(use, backend=backend)


def test_a_closed_client_says_so(failing: Failing) -> None:
    client = Client(failing.url, "key", retry_count_max=0)
    client.close()
    with pytest.raises(errors.NoConnectionError, match="closed"):
        client.requests.get("req_1")
