// What a team writes that installed the client and Zod alone: it receives a webhook, calls over REST, and has no tRPC.
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createRestClient, createTrpcClient, parseWebhook } from '@insurance-verification/client';

const input = {
  patient_info: { subscriber_id: 'W123456789' },
  payer_info: { name: 'Payer Plan 1' },
  provider_info: { npi: '1234567893', name: 'Main Street Dental' },
  callback_url: 'https://clinic.example/verified',
};
const request = { request_id: 'req_1', input, received_timestamp: '2026-11-20T11:00:00Z', state: 'complete' };

// Signed as Standard Webhooks says, by nothing of ours.
const key = randomBytes(32);
const body = JSON.stringify({ request: { ...request, error_reason: null }, insurance_data: [] });
const timestamp = String(Math.floor(Date.now() / 1000));
const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64');
const headers = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': timestamp,
  'webhook-signature': `v1,${signature}`,
};
const secret = `whsec_${key.toString('base64')}`;
const webhook = await parseWebhook({ headers, body, secret });
assert.equal(webhook.result.request.request_id, 'req_1');
await assert.rejects(parseWebhook({ headers, body: `${body} `, secret }), {
  name: 'WebhookVerificationError',
});

const server = createServer((_req, res) => {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(request));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${server.address().port}`;
assert.deepEqual(await createRestClient({ url }).requests.get({ request_id: 'req_1' }), request);
server.closeAllConnections();
server.close();

assert.throws(() => createTrpcClient({ url: 'nowhere' }), TypeError);
const trpc = createTrpcClient({ url });
await assert.rejects(trpc.requests.get.query({ request_id: 'req_1' }), {
  message: 'createTrpcClient could not load tRPC; to install it: npm install @trpc/client @trpc/server',
});
