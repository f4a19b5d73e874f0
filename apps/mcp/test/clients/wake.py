"""Sleeps until an event of the service wakes it, and compares the service with mcp-webhook-events of PyPI.

Usage: wake.py URL PAYER REQUEST; the key is in IV_API_KEY, REQUEST a body for POST /requests. Prints what it saw as
JSON: what both servers answer and post, the data of the event that woke it, and the ids of what it posted and leased.
"""

import asyncio
import base64
import json
import os
import secrets
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from urllib.request import Request as HttpRequest, urlopen

from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp_types import Request, RequestParams, Result
from mcp_webhook_events import EventDefinition, McpEvents, SafeHttp
from pydantic import ConfigDict
from standardwebhooks.webhooks import Webhook

SECRET = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
posts = Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        posts.put((body, {name.lower(): value for name, value in self.headers.items()}))
        answer = json.dumps({"challenge": json.loads(body).get("challenge")}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


class Open(RequestParams):
    model_config = ConfigDict(extra="allow")


class Answer(Result):
    model_config = ConfigDict(extra="allow")


def taken():
    """The next post, verified: what it says, the names of its headers that the protocol has, and its id."""
    body, headers = posts.get(timeout=30)
    said = Webhook(SECRET).verify(body, headers)
    names = sorted(name for name in headers if name.startswith(("webhook-", "x-mcp-")))
    return said, names, headers["webhook-id"]


def shape(posted):
    said, names, _ = posted
    return {"members": sorted(set(said) - {"cursor"}), "headers": names}


def of_pypi(params):
    """What mcp-webhook-events answers and posts."""
    open_to_all = {"type": "object"}
    known = EventDefinition("work.available", "Work.", open_to_all, open_to_all)
    store = os.path.join(tempfile.mkdtemp(), "events.sqlite3")
    events = McpEvents(None, store, [known], http=SafeHttp(allow_insecure_for_tests=True))
    listed = events.list_events("agent", {})["events"][0]
    made = events.subscribe("agent", params)
    challenge = shape(taken())
    events.publish("work.available", {"payer": params["arguments"]["payer"]})
    events.deliver_pending()
    return {
        "listed": sorted(listed),
        "made": sorted(set(made) - {"cursor", "truncated"}),
        "challenge": challenge,
        "event": shape(taken()),
    }


def create(url, request):
    headers = {"x-key": os.environ["IV_API_KEY"], "content-type": "application/json"}
    with urlopen(HttpRequest(url + "/requests", data=request.encode(), headers=headers)) as answer:
        return json.load(answer)["request_id"]


async def main(url, payer, request):
    server = HTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    target = {
        "name": "work.available",
        "arguments": {"payer": payer},
        "delivery": {"mode": "webhook", "url": f"http://127.0.0.1:{server.server_port}/", "secret": SECRET},
    }
    pypi = of_pypi(target)
    headers = {"authorization": "Bearer " + os.environ["IV_API_KEY"]}
    transport = streamable_http_client(url + "/mcp", http_client=create_mcp_http_client(headers=headers))
    async with Client(transport) as client:

        async def ask(method, params):
            call = Request[Open, str](method=method, params=Open(**params))
            answer = await client.session.send_request(call, Answer)
            return answer.model_extra or {}

        listed = (await ask("events/list", {}))["events"][0]
        made = await ask("events/subscribe", target)
        challenge = shape(taken())
        posted = await asyncio.to_thread(create, url, request)
        woken = await asyncio.to_thread(taken)
        claimed = await client.call_tool("claim_next", {"payers": [payer], "wait_seconds": 0})
        request_id = claimed.structured_content["item"]["request"]["request_id"]
        await ask("events/unsubscribe", target)
        ours = {
            "listed": sorted(listed),
            "made": sorted(set(made) - {"cursor", "truncated", "resultType"}),
            "challenge": challenge,
            "event": shape(woken),
        }
        said, _, webhook_id = woken
        seen = {
            "pypi": pypi,
            "ours": ours,
            "data": said["data"],
            "event_ids": [said["eventId"], webhook_id],
            "request_ids": [posted, request_id],
        }
        print(json.dumps(seen))


asyncio.run(main(*sys.argv[1:]))
