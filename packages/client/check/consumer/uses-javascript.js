// What another team writes in plain JavaScript, run under node against the packed packages.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import {
  ConnectionError,
  createRestClient,
  createTrpcClient,
  parseWebhook,
  ValidationFailedError,
} from '@insurance-verification/client';
import * as client from '@insurance-verification/client';
import { createSchemas } from '@insurance-verification/schema';
import invalid from '@insurance-verification/schema/fixtures/response-model-invalid.json' with { type: 'json' };
import valid from '@insurance-verification/schema/fixtures/response-model-valid.json' with { type: 'json' };
import { createWebhookSecret, signWebhook } from '@insurance-verification/webhook';
import { verifyWebhook } from '@insurance-verification/webhook/verify';

assert.equal(client.verifyWebhook, verifyWebhook);
assert.throws(() => createSchemas({ payers: ['Plan A'] }), TypeError);

// The REST and tRPC clients speak to a real socket.
const detail = [{ loc: ['body', 'payer_info'], msg: 'Field required', type: 'missing' }];
const server = createServer((req, res) => {
  const trpc = req.url.startsWith('/trpc/');
  res.writeHead(trpc ? 200 : 422, { 'content-type': 'application/json' });
  res.end(JSON.stringify(trpc ? [{ result: { data: { current: 'whsec_x' } } }] : { detail }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${server.address().port}`;
await assert.rejects(createRestClient({ url }).requests.create({}), (err) => {
  assert(err instanceof ValidationFailedError);
  assert.deepEqual(err.detail, detail);
  return true;
});
assert.deepEqual(await createTrpcClient({ url }).webhookSecret.get.query(), { current: 'whsec_x' });
server.closeAllConnections();
await new Promise((resolve) => server.close(resolve));
await assert.rejects(createRestClient({ url, retryCountMax: 0 }).webhookSecret.get(), ConnectionError);

// Every valid fixture comes through as a webhook; every invalid one is reported with the fixture's own list.
const secret = createWebhookSecret();
const receive = (content) => {
  const body = JSON.stringify(content);
  const timestamp = new Date();
  const signature = signWebhook({ id: 'msg_1', timestamp, body: Buffer.from(body), secrets: [secret] });
  const seconds = String(Math.floor(timestamp.getTime() / 1000));
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': seconds, 'webhook-signature': signature };
  return parseWebhook({
    headers,
    body,
    secret,
    payers: ['Payer Plan 1', 'Payer Plan 2', 'Payer Plan 3', 'Payer Plan 4'],
  });
};
for (const { body } of valid) assert.equal((await receive(body)).id, 'msg_1');
for (const { name, body, detail: faults } of invalid) {
  await assert.rejects(receive(body), (err) => {
    assert.deepEqual(err.detail, faults, name);
    return true;
  });
}
