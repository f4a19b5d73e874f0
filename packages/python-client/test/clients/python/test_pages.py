"""The blocks of the README and of the guide, against the service."""

import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio

from insurance_verification import Client, models


def blocks_of(page: str) -> list[tuple[str, str]]:
    """The name and the text of each block of Python."""
    text = Path(os.environ[page]).read_text()
    return re.findall(r"^```python(?: (\S+))?\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_the_blocks_of_the_readme_run() -> None:
    names: dict[str, Any] = {"store_once": lambda *_: None}
    blocks = blocks_of("README")
    assert len(blocks) == 5
    for _, block in blocks:
        exec(block.replace("https://verify.example", os.environ["IV_URL"]), names)
    assert "pending" in anyio.run(names["states"])
    assert names["receive"](b"{}", {}) == 401


def until(condition: Callable[[], object]) -> None:
    for _ in range(300):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("waited in vain")


def test_the_programs_of_the_guide_run(tmp_path: Path) -> None:
    blocks = dict(blocks_of("GUIDE"))
    for name, block in blocks.items():
        (tmp_path / name).write_text(block)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    env = {**os.environ, "IV_KEY": os.environ["IV_API_KEY"], "PORT": str(port)}

    first = [sys.executable, str(tmp_path / "first_request.py")]
    assert re.fullmatch(r"req_\w+ Active\n", subprocess.check_output(first, env=env, text=True))

    args = [sys.executable, str(tmp_path / "client_receiver.py")]
    receiver = subprocess.Popen(args, env=env, stdout=subprocess.PIPE, text=True)
    try:
        until(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0)
        printed: list[str] = []
        assert receiver.stdout
        lines = receiver.stdout
        threading.Thread(target=lambda: printed.append(lines.readline()), daemon=True).start()
        with Client(os.environ["IV_URL"], os.environ["IV_API_KEY"]) as client:
            client.requests.create(
                models.RequestInfo(
                    patient_info=models.PatientInfo(subscriber_id="TEST-ACTIVE", dob="1984-05-17"),
                    payer_info=models.PayerInfo(name="Payer Plan 1"),
                    provider_info=models.ProviderInfo(npi="1234567893", name="Main Street Dental"),
                    callback_url=f"http://127.0.0.1:{port}/verified",
                )
            )
        until(lambda: printed)
        assert re.fullmatch(r"msg_\w+ complete\n", printed[0])
    finally:
        receiver.kill()
