import { NOTHING_HERE, problemOf } from '@insurance-verification/schema';
import { aConnection, exchange } from '@insurance-verification/testing/wire/a-connection';
import { head as headOf } from '@insurance-verification/testing/wire/head';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { BOOTSTRAP_KEY } from '../a-service.ts';
import { callHeaders, callOf, HOST, listTools, post as postTo } from './a-wire.ts';
import { useMcpService } from './an-mcp-service.ts';

const BODY_BYTES_MAX = 1_048_576;

const service = useMcpService();

// Nothing that a client sends here is a failure of the service.
afterEach(() => service().assertWell());

const head = (line: string, headers: readonly string[] = []) => headOf(line, headers, HOST);
const post = (body: string | Uint8Array) => postTo(service(), body);

// The guards themselves are proven at the other transports: here a row for each status.
test('without a valid key a body is refused before it has come', async () => {
  for (const lines of [[], ['x-key: '], ['x-key: a-wrong-key'], ['authorization: Basic eDp5']]) {
    const answer = await exchange(service().url, head('POST /mcp', [...lines, 'Content-Length: 100']));
    expect([answer.status, answer.json]).toEqual([401, problemOf('unauthorized')]);
  }
});

test('a key without the scope verify is refused, and named the scope', async () => {
  const { key } = await service().aKey({ scopes: ['requests'] });
  const answer = await postTo(service(), listTools, [`x-key: ${key}`, ...callHeaders.slice(1)]);
  expect([answer.status, answer.json]).toEqual([
    403,
    problemOf('forbidden', { required_scopes: ['verify'] }),
  ]);
});

// A web page reaches loopback under its own host name.
test('a page of another site is refused, and a program behind a proxy is not', async () => {
  for (const lines of [
    ['Host: evil.example', 'Origin: http://evil.example'],
    [HOST, 'Origin: https://evil.example'],
  ]) {
    const answer = await exchange(
      service().url,
      headOf('POST /mcp', [...lines, ...callHeaders, 'content-length: 0'], ''),
    );
    expect([answer.status, answer.json]).toMatchObject([403, { code: 'cross_site' }]);
  }
  const bytes = Buffer.from(callOf(listTools)).toString().replace(HOST, 'Host: verify.example');
  expect((await exchange(service().url, bytes)).status).toBe(200);
});

test.each(['/mcp/', '/MCP', '/mcp%00', '//mcp'])('%s is nowhere', async (target) => {
  const answer = await exchange(service().url, head(`POST ${target}`, [...callHeaders, 'content-length: 0']));
  expect([answer.status, answer.json]).toEqual([404, problemOf('not_found', { detail: NOTHING_HERE })]);
});

test.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('%s is 405 and says that POST is allowed', async (method) => {
  const answer = await exchange(
    service().url,
    head(`${method} /mcp`, ['content-length: 0', 'connection: close']),
  );
  expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
});

test('a body of just the bound is read, a larger one is 413', async () => {
  const body = listTools.replace('{}', JSON.stringify({ _meta: { filler: '' } }));
  const whole = body.replace('"filler":""', `"filler":"${'x'.repeat(BODY_BYTES_MAX - body.length)}"`);
  expect((await post(whole)).status).toBe(200);
  const answer = await post(`${whole} `);
  expect([answer.status, answer.json]).toEqual([413, problemOf('payload_too_large')]);
});

test.each(['text/plain', 'application/x-www-form-urlencoded', ';', ''])(
  'the content type %j is 415',
  async (type) => {
    const lines = [`x-key: ${BOOTSTRAP_KEY}`, `content-type: ${type}`, 'connection: close'];
    const answer = await exchange(service().url, callOf(listTools, lines));
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
test.each(notJson)('%s is not JSON, which JSON-RPC answers', async (_, bytes) => {
  const answer = await post(bytes);
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
test.each(noMessage)('%s is not a message of JSON-RPC, and 400', async (_, body) => {
  const answer = await post(body);
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
      const answer = await post(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`);
      expect({ method, status: answer.status }).toEqual({
        method,
        status: expect.toSatisfy((status) => status < 500),
      });
      expect(answer.text).not.toMatch(/node_modules|\.ts|at \w+ \(/);
    }
  }
});

test('a client gone before its answer ends nothing', async () => {
  for (let count = 0; count < 10; count += 1) {
    const connection = aConnection(service().url);
    connection.write(callOf(listTools));
    await connection.opened();
    connection.cut();
  }
  expect((await post(listTools)).status).toBe(200);
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
  const answer = await post(JSON.stringify(body));
  expect([answer.status, answer.json]).toEqual([413, problemOf('payload_too_large')]);
});

// Parsing it alone blocked the process for 60 ms.
test.each(['{}', '[]'])('a megabyte of %s is too many', async (item) => {
  const channels = Array<string>(340_000).fill(item).join();
  const call = `{"name":"claim_next","arguments":{"channels":[${channels}]}}`;
  const answer = await post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${call}}`);
  expect([answer.status, answer.json]).toEqual([413, problemOf('payload_too_large')]);
});

test('10,000 keys are not, and text does not count', async () => {
  const text = '":\\"{:'.repeat(20_000);
  const body = JSON.stringify({ ...message, params: { _meta: { ...keys(9_000), text } } });
  expect((await post(body)).status).toBe(200);
});

test('a batch of twenty messages is answered, a longer one refused whole', async () => {
  const batch = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, id) => ({ ...message, id })));
  expect((await post(batch(20))).text.match(/"tools"/g)).toHaveLength(20);
  for (const body of [batch(21), `[${'0,'.repeat(500_000)}0]`]) {
    const answer = await post(body);
    expect([answer.status, answer.json]).toMatchObject([400, { error: { code: -32_600 }, id: null }]);
  }
});

// Broke: each claim of a batch listened for the end of the answer, and Node warned of a leak.
test('a batch of twenty claims is answered without a warning', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const claim = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'claim_next', arguments: {} } };
  const { text } = await post(JSON.stringify(Array.from({ length: 20 }, (_, id) => ({ ...claim, id }))));
  expect(text.match(/"structuredContent":\{"item":null\}/g)).toHaveLength(20);
  expect(warnings).toEqual([]);
});
