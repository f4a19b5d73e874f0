"""Plays one verification: at /mcp when its address is given, else over an iv-mcp that it starts.

Usage: drive.py legacy|auto [URL]; the key is in IV_API_KEY, the command of a process in IV_MCP as a JSON list.
Prints what it saw as JSON. The client checks every answer against the tool's output schema.
"""

import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client


def transport(url):
    if url is None:
        command, *args = json.loads(os.environ["IV_MCP"])
        return StdioServerParameters(command=command, args=args, env=dict(os.environ))
    headers = {"authorization": "Bearer " + os.environ["IV_API_KEY"]}
    return streamable_http_client(url, http_client=create_mcp_http_client(headers=headers))


async def main(mode, url=None):
    async with Client(transport(url), mode=mode) as client:
        tools = (await client.list_tools()).tools
        prompt = await client.get_prompt("verify_one", {"channel": "agent_web_portal"})
        resources = (await client.list_resources()).resources
        payer = await client.read_resource("iv://payers/Payer%20Plan%201")
        claimed = await client.call_tool("claim_next", {"wait_seconds": 20})
        request_id = claimed.structured_content["item"]["request"]["request_id"]
        refused = await client.call_tool("release", {"request_id": request_id, "lease_token": "x"})
        finding = {"plan_info": {"eligibility_status": "Active"}}
        submitted = await client.call_tool(
            "submit_result", {"request_id": request_id, "insurance_data": [finding]}
        )
        seen = {
            "tools": [tool.name for tool in tools],
            "prompt": prompt.messages[0].content.text,
            "resources": [str(resource.uri) for resource in resources],
            "payer": json.loads(payer.contents[0].text),
            "request_id": request_id,
            "refused": refused.content[0].text,
            "submitted": submitted.structured_content,
        }
        print(json.dumps(seen))


asyncio.run(main(*sys.argv[1:]))
