import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from types import TracebackType
from typing import Self, TypeVar

import anyio
import anyio.lowlevel
import httpx2

from . import errors
from ._answers import LineReader, read_answer
from ._base_errors import CallFacts
from ._call import Call
from ._operations import AsyncOperations, Operations
from ._retries import RetryLimits

T = TypeVar("T")
R = TypeVar("R")
H = TypeVar("H", httpx2.Client, httpx2.AsyncClient)


class _Connection:
    """The service's address and the caller's key, checked once, so that a mistake shows when the client is made."""

    def __init__(self, url: str, api_key: str | None, timeout_seconds: float, limits: RetryLimits) -> None:
        if not re.fullmatch(r"https?://[^\s/@?#]+(/[^\s@?#]*)?", url):
            raise ValueError("url must be an http or https address without user, query and fragment")
        if api_key is not None and not re.fullmatch(r"[\x21-\x7e]{1,200}", api_key):
            raise ValueError("api_key must be 1 to 200 printable characters without spaces")
        self.url = url.rstrip("/")
        self.key = {} if api_key is None else {"x-key": api_key}
        self.timeout_seconds = timeout_seconds
        self.limits = limits

    def to_request(
        self, call: Call[T], http_client: httpx2.Client | httpx2.AsyncClient, accept: str = "application/json"
    ) -> httpx2.Request:
        return http_client.build_request(
            call.method,
            self.url + call.path,
            params=call.query or None,
            content=call.body,
            headers={"Accept": accept, **self.key, **call.headers},
            timeout=self.timeout_seconds,
        )

    def check_open(self, call: Call[T], http_client: H) -> H:
        """:raises errors.NoConnectionError: when it was closed"""
        if http_client.is_closed:
            facts = CallFacts(call.operation, self.url, call.idempotency_key)
            raise errors.NoConnectionError("the client was closed", facts)
        return http_client

    def read(self, call: Call[T], response: httpx2.Response) -> T:
        return read_answer(call, self.url, response.status_code, response.headers, response.content)

    def error_of(self, call: Call[T], err: httpx2.RequestError) -> errors.NoAnswerError:
        facts = CallFacts(call.operation, self.url, call.idempotency_key)
        if isinstance(err, httpx2.TimeoutException):
            return errors.NoAnswerInTimeError(f"no answer in time ({type(err).__name__})", facts)
        return errors.NoConnectionError(f"the connection failed ({type(err).__name__})", facts)


class Client(Operations):
    """
    The service's operations, grouped and named as in the contract: `client.requests.get(request_id)`. Every call raises a
    class of `errors.InsuranceVerificationError`. Safe to share between threads.

    :param url: the service's address, a path before it included
    :param api_key: sent as `x-key`; only `verification_output.submit` works without one
    :param timeout_seconds: how long the service may be silent, to connect, to read and to write
    :param retry_count_max: further attempts after the first one; 0 means none
    :param retry_delay_seconds_max: the longest wait between two; a longer `Retry-After` is raised at once
    :param http_client: an `httpx2.Client` of your own, with proxies or certificates; you close it
    """

    def __init__(
        self,
        url: str,
        api_key: str | None = None,
        *,
        timeout_seconds: float = 30,
        retry_count_max: int = 3,
        retry_delay_seconds_max: float = 10,
        http_client: httpx2.Client | None = None,
    ) -> None:
        super().__init__(self._send, self._lines)
        limits = RetryLimits(retry_count_max, retry_delay_seconds_max)
        self._connection = _Connection(url, api_key, timeout_seconds, limits)
        self._http_client = http_client or httpx2.Client()
        self._closes = http_client is None

    def _send(self, call: Call[T]) -> T:
        return self._attempt(call, self._send_once)

    def _lines(self, call: Call[T]) -> Iterator[T]:
        response = self._attempt(call, self._open_once)
        lines = LineReader(call, self._connection.url)
        try:
            for chunk in response.iter_bytes():
                yield from lines.feed(chunk)
        except httpx2.RequestError as err:
            raise self._connection.error_of(call, err) from err
        finally:
            response.close()
        lines.close()

    def _attempt(self, call: Call[T], once: Callable[[Call[T]], R]) -> R:
        retry_count = 0
        while True:
            try:
                return once(call)
            except errors.InsuranceVerificationError as err:
                delay = self._connection.limits.delay_after(err, call, retry_count)
                if delay is None:
                    raise
            time.sleep(delay)
            retry_count += 1

    def _send_once(self, call: Call[T]) -> T:
        http_client = self._connection.check_open(call, self._http_client)
        request = self._connection.to_request(call, http_client)
        try:
            # A redirect is not followed: `x-key` would go along.
            response = http_client.send(request, follow_redirects=False)
        except httpx2.RequestError as err:
            raise self._connection.error_of(call, err) from err
        return self._connection.read(call, response)

    def _open_once(self, call: Call[T]) -> httpx2.Response:
        http_client = self._connection.check_open(call, self._http_client)
        request = self._connection.to_request(call, http_client, "application/x-ndjson")
        try:
            response = http_client.send(request, stream=True, follow_redirects=False)
            if not response.is_success:
                response.read()
        except httpx2.RequestError as err:
            raise self._connection.error_of(call, err) from err
        if not response.is_success:
            self._connection.read(call, response)  # raises
        return response

    def close(self) -> None:
        """Closes the connections."""
        if self._closes:
            self._http_client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(AsyncOperations):
    """As `Client`, with calls to await, on asyncio or Trio."""

    def __init__(
        self,
        url: str,
        api_key: str | None = None,
        *,
        timeout_seconds: float = 30,
        retry_count_max: int = 3,
        retry_delay_seconds_max: float = 10,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        super().__init__(self._send, self._lines)
        limits = RetryLimits(retry_count_max, retry_delay_seconds_max)
        self._connection = _Connection(url, api_key, timeout_seconds, limits)
        self._http_client = http_client or httpx2.AsyncClient()
        self._closes = http_client is None
        self._loop: object = None

    async def _send(self, call: Call[T]) -> T:
        return await self._attempt(call, self._send_once)

    async def _lines(self, call: Call[T]) -> AsyncIterator[T]:
        response = await self._attempt(call, self._open_once)
        lines = LineReader(call, self._connection.url)
        try:
            async for chunk in response.aiter_bytes():
                for item in lines.feed(chunk):
                    yield item
        except httpx2.RequestError as err:
            raise self._connection.error_of(call, err) from err
        finally:
            await response.aclose()
        lines.close()

    async def _attempt(self, call: Call[T], once: Callable[[Call[T]], Awaitable[R]]) -> R:
        retry_count = 0
        while True:
            try:
                return await once(call)
            except errors.InsuranceVerificationError as err:
                delay = self._connection.limits.delay_after(err, call, retry_count)
                if delay is None:
                    raise
            await anyio.sleep(delay)
            retry_count += 1

    def _open_client(self, call: Call[T]) -> httpx2.AsyncClient:
        """
        Connections belong to the event loop that opened them. In another one, such as of a second `asyncio.run`, they are
        dropped, and new ones are made; an `http_client` of the caller's own stays.
        """
        loop = anyio.lowlevel.current_token()
        if self._closes and self._loop is not None and self._loop != loop and not self._http_client.is_closed:
            self._http_client = httpx2.AsyncClient()
        self._loop = loop
        return self._connection.check_open(call, self._http_client)

    async def _send_once(self, call: Call[T]) -> T:
        http_client = self._open_client(call)
        request = self._connection.to_request(call, http_client)
        try:
            response = await http_client.send(request, follow_redirects=False)
        except httpx2.RequestError as err:
            raise self._connection.error_of(call, err) from err
        return self._connection.read(call, response)

    async def _open_once(self, call: Call[T]) -> httpx2.Response:
        http_client = self._open_client(call)
        request = self._connection.to_request(call, http_client, "application/x-ndjson")
        try:
            response = await http_client.send(request, stream=True, follow_redirects=False)
            if not response.is_success:
                await response.aread()
        except httpx2.RequestError as err:
            raise self._connection.error_of(call, err) from err
        if not response.is_success:
            self._connection.read(call, response)  # raises
        return response

    async def aclose(self) -> None:
        """Closes the connections."""
        if self._closes:
            await self._http_client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()
