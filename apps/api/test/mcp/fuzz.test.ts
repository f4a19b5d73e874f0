import { editedBytes } from '@insurance-verification/testing/wire/edited-bytes';
import { expectHarmless } from '@insurance-verification/testing/wire/expect-harmless';
import { head } from '@insurance-verification/testing/wire/head';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callHeaders, callOf, HOST, initialize, listTools, post } from './a-wire.ts';
import { useMcpService } from './an-mcp-service.ts';

const CASES = Number(process.env['FUZZ_CASES'] ?? 400);

const service = useMcpService();

const failCall = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'fail',
    arguments: { request_id: 'req_x', error_reason: 'member_not_found' },
  },
});
const chunked = `${listTools.length.toString(16)}\r\n${listTools}\r\n0\r\n\r\n`;

const valid: readonly Uint8Array[] = [
  callOf(listTools),
  callOf(initialize),
  callOf(failCall),
  callOf(`[${listTools}]`),
  Buffer.from(head('POST /mcp', [...callHeaders, 'transfer-encoding: chunked'], HOST) + chunked),
  Buffer.from(head('GET /mcp', callHeaders, HOST)),
  Buffer.from(head('DELETE /mcp', callHeaders, HOST)),
  Buffer.from(head('GET /mcp', [...callHeaders, 'mcp-session-id: x'], HOST)),
  Buffer.from(head('DELETE /mcp', [...callHeaders, 'mcp-session-id: x'], HOST)),
  Buffer.from(head('CONNECT a:1', [], HOST)),
  Buffer.from(head('GET //', [], HOST)),
];

// No request, whatever its bytes, ends the process, gets a 5xx, or reveals where in the code it failed.
test(
  `${CASES} calls with some bytes changed leave the process as it was`,
  { timeout: 60_000 + CASES * 50 },
  async () => {
    await fc.assert(
      fc.asyncProperty(editedBytes(valid), fc.boolean(), async (bytes, isCut) => {
        await expectHarmless(service().url, bytes, isCut);
      }),
      { numRuns: CASES },
    );
    expect((await post(service(), listTools)).status).toBe(200);
    service().assertWell();
  },
);
