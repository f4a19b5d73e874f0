import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { aConnection, exchange } from '@insurance-verification/testing/wire/a-connection';
import { head as headOf } from '@insurance-verification/testing/wire/head';
import { afterEach, expect, test } from 'vitest';
import { callHeaders, HOST, listTools, useHttpServer } from './an-http-server.ts';

const BODY_BYTES_MAX = 1_048_576;

const server = useHttpServer();

afterEach(() => server().assertWell());

const head = (line: string, headers: readonly string[] = []) => headOf(line, headers, HOST);
const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;

// A body without a key is not read at all, however short.
test('without a key a body is refused before it has come', async () => {
  for (const lines of [
    [],
    ['x-key: '],
    ['x-key: a b'],
    [`x-key: ${'x'.repeat(201)}`],
    ['x-key: \u00e9'],
    ['authorization: Basic eDp5'],
  ]) {
    const answer = await exchange(server().url, head('POST /mcp', [...lines, 'Content-Length: 100']));
    expect([answer.status, answer.json]).toEqual([401, server().problem('unauthorized')]);
    expect(answer.headers).toMatchObject({ connection: 'close', 'www-authenticate': 'Bearer' });
  }
});

test('a body too large by its Content-Length is refused before a byte of it is read', async () => {
  const connection = aConnection(server().url);
  connection.write(head('POST /mcp', [...callHeaders, `Content-Length: ${BODY_BYTES_MAX + 1}`]));
  const answer = await connection.answer();
  expect([answer.status, answer.json]).toEqual([413, server().problem('payload_too_large')]);
  expect((await connection.closed()).match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test('an endless body in chunks is refused and the connection closed', async () => {
  const connection = aConnection(server().url);
  connection.write(head('POST /mcp', [...callHeaders, 'Transfer-Encoding: chunked']));
  for (let index = 0; index < 17; index += 1) connection.write(chunk);
  const answer = await connection.answer();
  expect([answer.status, answer.json]).toEqual([413, server().problem('payload_too_large')]);
  expect(answer.headers).toMatchObject({ connection: 'close' });
  expect((await connection.closed()).match(/HTTP\/1\.1/g)).toHaveLength(1);
});

// Broke: 300 unfinished bodies took 300 MB for half a minute.
test('bodies that nobody finishes are refused when an address has 8 MB of them', async () => {
  const unfinished = Array.from({ length: 12 }, () => aConnection(server().url));
  for (const connection of unfinished) {
    connection.write(head('POST /mcp', [...callHeaders, `Content-Length: ${BODY_BYTES_MAX}`]));
    connection.write('x'.repeat(BODY_BYTES_MAX - 1));
  }
  const refused = await Promise.any(unfinished.map((connection) => connection.answer()));
  expect([refused.status, refused.json]).toEqual([503, server().problem('unavailable')]);
  expect(refused.headers).toMatchObject({ connection: 'close', 'retry-after': '2' });
  for (const connection of unfinished) connection.cut();
  await expect.poll(async () => (await server().post(listTools)).status).toBe(200);
});

test('a body of just the bound is read, in chunks too', async () => {
  const body = listTools.replace('{}', JSON.stringify({ _meta: { filler: '' } }));
  const whole = body.replace('"filler":""', `"filler":"${'x'.repeat(BODY_BYTES_MAX - body.length)}"`);
  expect((await server().post(whole)).status).toBe(200);
  const chunked = `${whole.length.toString(16)}\r\n${whole}\r\n0\r\n\r\n`;
  const bytes = head('POST /mcp', [...callHeaders, 'Transfer-Encoding: chunked']) + chunked;
  expect((await exchange(server().url, bytes)).status).toBe(200);
  expect((await server().post(`${whole} `)).status).toBe(413);
});

test.each(['gzip', 'br', 'deflate, gzip', 'x'])('the content encoding %s is 415', async (encoding) => {
  const answer = await server().post(Buffer.from([0x1f, 0x8b, 8, 0]), [`content-encoding: ${encoding}`]);
  expect([answer.status, answer.json]).toEqual([415, server().problem('unsupported_content_encoding')]);
  expect(answer.headers['accept-encoding']).toBe('identity');
});

test.each(['text/plain', 'application/x-www-form-urlencoded', ';', ''])(
  'the content type %j is 415',
  async (type) => {
    const lines = [`x-key: ${API_KEY}`, `content-type: ${type}`, 'Content-Length: 100'];
    const answer = await exchange(server().url, head('POST /mcp', lines));
    expect(answer.status).toBe(415);
    expect(answer.json).toMatchObject({ jsonrpc: '2.0', id: null });
  },
);

const notJson: [what: string, bytes: string | Uint8Array][] = [
  ['nothing', ''],
  ['a cut object', '{"jsonrpc":"2.0"'],
  ['a trailing comma', '{"jsonrpc":"2.0",}'],
  ['NaN', 'NaN'],
  ['two values', '{}{}'],
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['a cut character', Buffer.from([0x22, 0xe2, 0x82, 0x22])],
  ['a lone surrogate in bytes', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
];
test.each(notJson)('%s is no JSON, and answered so in JSON-RPC', async (_, bytes) => {
  const answer = await server().post(bytes);
  expect([answer.status, answer.json]).toEqual([
    400,
    { jsonrpc: '2.0', error: { code: -32_700, message: 'The body is not JSON.' }, id: null },
  ]);
});

const deep = (open: string, close: string) => open.repeat(50_000) + close.repeat(50_000);
const noMessage: [what: string, body: string][] = [
  ['null', 'null'],
  ['a text', '"x"'],
  ['a number', '5'],
  ['an empty object', '{}'],
  ['an empty batch', '[]'],
  ['a batch of nothing', '[null]'],
  ['another version', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}'],
  ['50,000 levels of lists', deep('[', ']')],
  ['9,000 levels of objects', `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`],
];
test.each(noMessage)('%s is no message of JSON-RPC, and 400', async (_, body) => {
  const answer = await server().post(body);
  expect(answer.status).toBe(400);
  expect(answer.json).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
  expect(answer.text).not.toMatch(/node_modules|\.ts|at \w+ \(/);
});

test.each([
  [50_000, 'lists', '[', ']'],
  [9_000, 'objects', '{"a":', '}'],
])('%i levels of %s inside a message do no harm', async (count, _, open, close) => {
  const nested = `${open.repeat(count)}1${close.repeat(count)}`;
  for (const method of ['tools/list', 'tools/call', 'initialize', 'nothing']) {
    for (const params of [`{"name":"fail","arguments":${nested}}`, `{"_meta":${nested}}`, nested]) {
      const answer = await server().post(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`);
      expect({ method, status: answer.status }).toEqual({
        method,
        status: expect.toSatisfy((status) => status < 500),
      });
      expect(answer.text).not.toMatch(/node_modules|\.ts|at \w+ \(/);
    }
  }
});

test('a client gone in the middle of its body or before its answer ends nothing', async () => {
  for (const keep of [0, 1, 20, listTools.length]) {
    for (let count = 0; count < 10; count += 1) {
      const connection = aConnection(server().url);
      const lines = [...callHeaders, `Content-Length: ${listTools.length}`, 'expect: 100-continue'];
      connection.write(head('POST /mcp', lines) + listTools.slice(0, keep));
      await connection.heard('100 Continue');
      connection.cut();
    }
  }
  expect(server().lives()).toBe(true);
});

// Node removes its own error listener from the socket of a CONNECT.
test('a client that asks for a tunnel and is gone ends nothing', async () => {
  for (let round = 0; round < 50; round += 1) {
    const connection = aConnection(server().url);
    connection.write(head('CONNECT service:443'));
    await (round % 2 === 0 ? connection.answer() : connection.opened());
    connection.cut();
  }
  expect(server().lives()).toBe(true);
});

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]));
const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

// The SDK walks a message many times: each of these blocked the process, and every other agent, for 0.1 to 0.4 s.
test.each([
  ['in the message', { ...message, ...keys(80_000) }],
  ['in its parameters', { ...message, params: keys(80_000) }],
  ['in its _meta', { ...message, params: { _meta: keys(80_000) } }],
  [
    'in a tool’s arguments',
    { ...message, method: 'tools/call', params: { name: 'fail', arguments: keys(80_000) } },
  ],
  ['in a notification', { jsonrpc: '2.0', method: 'notifications/x', params: keys(80_000) }],
  ['in a result', { jsonrpc: '2.0', id: 1, result: keys(80_000) }],
  [
    'of many objects',
    { ...message, params: { _meta: { a: Array.from({ length: 12_000 }, () => ({ a: 0 })) } } },
  ],
])('80,000 keys %s are too many', async (_, body) => {
  const answer = await server().post(JSON.stringify(body));
  expect([answer.status, answer.json]).toEqual([413, server().problem('payload_too_large')]);
});

// Parsing it alone blocked the process for 60 ms.
test.each(['{}', '[]'])('a megabyte of %s is too many', async (item) => {
  const channels = Array<string>(340_000).fill(item).join();
  const call = `{"name":"claim_next","arguments":{"channels":[${channels}]}}`;
  const answer = await server().post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${call}}`);
  expect([answer.status, answer.json]).toEqual([413, server().problem('payload_too_large')]);
});

test('10,000 keys are not, and what a text holds is none', async () => {
  const text = '":\\"{:'.repeat(20_000);
  const body = JSON.stringify({ ...message, params: { _meta: { ...keys(9_000), text } } });
  expect((await server().post(body)).status).toBe(200);
});

test('a batch of twenty messages is answered, a longer one refused whole', async () => {
  const batch = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, id) => ({ ...message, id })));
  expect((await server().post(batch(20))).text.match(/"tools"/g)).toHaveLength(20);
  for (const body of [batch(21), `[${'0,'.repeat(500_000)}0]`]) {
    const answer = await server().post(body);
    expect([answer.status, answer.json]).toMatchObject([400, { error: { code: -32_600 }, id: null }]);
  }
});
