"""The blocks of the README, in their order, against the service."""

import os
import re
from pathlib import Path
from typing import Any

import anyio


def test_the_blocks_of_the_readme_run(capsys: Any) -> None:
    readme = Path(os.environ["README"]).read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    assert len(blocks) == 4
    names: dict[str, Any] = {"store_once": lambda *_: None}
    for block in blocks:
        exec(block.replace("https://verify.example", os.environ["IV_URL"]), names)
    assert "pending" in anyio.run(names["states"])
    assert names["receive"](b"{}", {}) == 401
