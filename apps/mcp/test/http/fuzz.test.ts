import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aConnection } from './a-connection.ts';
import { call, callHeaders, HOST, listTools, useHttpDoor } from './an-http-door.ts';
import { head } from './head.ts';

const CASES = Number(process.env['FUZZ_CASES'] ?? 400);

const door = useHttpDoor();

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
});
const failCall = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'fail',
    arguments: { request_id: 'req_x', lease_token: 'x', error_reason: 'member_not_found' },
  },
});
const chunked = `${listTools.length.toString(16)}\r\n${listTools}\r\n0\r\n\r\n`;

const valid = fc.constantFrom<Uint8Array>(
  call(listTools),
  call(initialize),
  call(failCall),
  call(`[${listTools}]`),
  Buffer.from(head('POST /mcp', [...callHeaders, 'transfer-encoding: chunked'], HOST) + chunked),
  Buffer.from(head('GET /mcp', callHeaders, HOST)),
  Buffer.from(head('DELETE /mcp', callHeaders, HOST)),
  Buffer.from(head('GET //', [], HOST)),
);

type Edit = (bytes: Uint8Array) => Uint8Array;
const splice = (bytes: Uint8Array, at: number, drop: number, put: Uint8Array) => {
  const start = at % (bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + drop)]);
};
const token = fc.constantFrom(
  '\r\n',
  '\n',
  '\0',
  ' ',
  ':',
  '//',
  '//[',
  'http://',
  'http://[',
  '%',
  '%ff',
  '?',
  '#',
  '..',
  '\\',
  'CONNECT ',
  'HTTP/1.1',
  'HTTP/9.9',
  'Host: b\r\n',
  'Expect: x\r\n',
  'Upgrade: h2c\r\n',
  'Connection: close\r\n',
  'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Content-Encoding: gzip\r\n',
  'Origin: null\r\n',
  '\u0016\u0003\u0001',
  '{',
  '[',
  '"',
  ',',
  'null',
  '1e999',
  '"__proto__":{},',
  '"id":null,',
  '[[[[',
);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(fc.nat(), fc.nat(3), fc.uint8Array({ maxLength: 4 })).map(
    ([at, drop, put]): Edit =>
      (bytes) =>
        splice(bytes, at, drop, put),
  ),
  fc.tuple(fc.nat(), fc.nat(8), token).map(
    ([at, drop, put]): Edit =>
      (bytes) =>
        splice(bytes, at, drop, Buffer.from(put, 'latin1')),
  ),
  // The target, where so much is decided.
  fc.tuple(fc.nat(4), token).map(
    ([drop, put]): Edit =>
      (bytes) =>
        splice(bytes, 5, drop, Buffer.from(put, 'latin1')),
  ),
  fc.tuple(fc.nat(), fc.nat(40)).map(
    ([at, count]): Edit =>
      (bytes) =>
        splice(bytes, at, 0, bytes.subarray(at % (bytes.length + 1)).subarray(0, count)),
  ),
  fc.nat().map(
    (at): Edit =>
      (bytes) =>
        bytes.subarray(0, at % (bytes.length + 1)),
  ),
);

// No request, whatever its bytes, ends the process, is a failure of it, or tells where in the program it failed.
test(
  `${CASES} calls with some bytes changed leave the process as it was`,
  { timeout: 60_000 + CASES * 50 },
  async () => {
    await fc.assert(
      fc.asyncProperty(valid, fc.array(edit, { minLength: 1, maxLength: 4 }), async (bytes, edits) => {
        const connection = aConnection(door().url);
        const { hasAnswered, text } = await saidTo(
          connection,
          edits.reduce<Uint8Array>((made, put) => put(made), bytes),
        );
        if (hasAnswered) expect(text).toMatch(/^HTTP\/1\.1 [1-4]\d\d /);
        expect(text).not.toMatch(/HTTP\/1\.1 5\d\d|node_modules|\.ts\b|\bat \w+ \(/);
        expect(door().lives()).toBe(true);
      }),
      { numRuns: CASES },
    );
    expect((await door().post(listTools)).status).toBe(200);
  },
);

/** What comes for some bytes until the client, which has no more to say, is told or the door closes. */
async function saidTo(connection: ReturnType<typeof aConnection>, bytes: Uint8Array) {
  connection.write(bytes);
  connection.end();
  const text = await connection.closed();
  return { hasAnswered: text !== '', text };
}
