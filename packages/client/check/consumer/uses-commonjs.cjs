// What another team has in CommonJS: `require` gives the ES modules as they are, from Node 20.19 and 22.12 on.
const assert = require('node:assert/strict');
const { createRestClient, parseWebhook } = require('@insurance-verification/client');
const openapi = require('@insurance-verification/client/openapi.json');
const { RequestInfo } = require('@insurance-verification/schema');
const { signWebhook } = require('@insurance-verification/webhook');
const { verifyWebhook } = require('@insurance-verification/webhook/verify');

assert.equal(typeof createRestClient({ url: 'http://127.0.0.1:3000' }).requests.create, 'function');
assert.equal(RequestInfo.safeParse({}).success, false);
for (const given of [parseWebhook, signWebhook, verifyWebhook]) assert.equal(typeof given, 'function');
assert.equal(openapi.openapi.split('.')[0], '3');
