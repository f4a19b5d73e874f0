import { readFileSync } from 'node:fs';
import { DEFAULT_PAYERS, PROBLEMS } from '@insurance-verification/schema';
import { createContract, OPERATIONS } from '@insurance-verification/schema/contract';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { contract } from '../scripts/contract.ts';
import { openApiText } from '../src/http/openapi/openapi.ts';
import { createRouter } from '../src/router.ts';
import { aService } from './a-service.ts';
import { PROMISED } from './promised.ts';
import { withWholeAnswers } from './whole-answers.ts';

const shipped = readFileSync(new URL('../../../packages/client/openapi.json', import.meta.url), 'utf8');
const parsed = JSON.parse(shipped);
const document = withWholeAnswers(parsed);

const FIRST_RUN = 'http://127.0.0.1:3000';

const operations = Object.values<Record<string, Operation>>(document.paths).flatMap(Object.values<Operation>);

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security?: unknown[];
  readonly requestBody?: {
    readonly content: Record<string, { readonly schema: unknown }>;
  };
  readonly responses: Record<string, Response>;
}

interface Response {
  readonly content: Record<string, { readonly schema: unknown }>;
  readonly headers?: Record<string, unknown>;
}

test.each(contract())('$file is what the router makes it', ({ file, text }) => {
  expect(readFileSync(file, 'utf8'), 'changed on purpose? npx -y pnpm@12 openapi').toBe(text);
});

test('what is served is what the client package ships, but for the address and the white space', async () => {
  const service = await aService({ env: { ROLES: 'http' } });
  const res = await fetch(`${service.url}/openapi.json`);
  expect(res.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await res.text()).toBe(JSON.stringify(JSON.parse(shipped.replace(FIRST_RUN, service.url))));
});

test('it names the configured payers, and differs in nothing else', () => {
  const { operations: ofOwn, schemas: own } = createContract({
    payers: ['Plan A', 'Plan B', 'Plan C', 'Plan D'],
  });
  const served = openApiText(createRouter(ofOwn), own);
  expect(JSON.parse(served).components.schemas.Payer.enum).toEqual(own.Payer.options);
  expect(served).not.toContain(DEFAULT_PAYERS[0]);
  const renamed = own.Payer.options.reduce(
    (text, name, index) =>
      text
        .replaceAll(`"${name}"`, `"${DEFAULT_PAYERS[index]}"`)
        .replaceAll(`\\"${name}\\"`, `\\"${DEFAULT_PAYERS[index]}\\"`), // in the lines of an example
    served,
  );
  expect(JSON.parse(renamed)).toEqual(parsed);
});

test('it is an OpenAPI 3.1 document, and the validator sees one that is not', async () => {
  expect(document.openapi).toMatch(/^3\.1\.\d$/);
  expect(await new Validator().validate(structuredClone(parsed))).toEqual({ valid: true });
  const broken = structuredClone(parsed);
  broken.paths['/requests/'].post.responses['200'].content['application/json'].schemata = 1;
  broken.paths['/requests/'].post.requestBody = { required: 'yes' };
  expect(await new Validator().validate(broken)).toMatchObject({ valid: false });
});

test('every reference leads to a component, and every component is used', () => {
  for (const kind of ['schemas', 'examples', 'responses']) {
    const references = shipped.matchAll(new RegExp(`"\\$ref": "#/components/${kind}/(\\w+)"`, 'g'));
    const used = new Set([...references].map(([, name]) => name));
    expect([...used].toSorted()).toEqual(Object.keys(document.components[kind]).toSorted());
  }
  expect(shipped.match(/"\$ref": "(?!#\/components\/(schemas|examples|responses)\/)/)).toBeNull();
});

test('title and version are the spec’s', () => {
  expect(document.info).toMatchObject({ title: 'Insurance Verification API', version: '0.1.0' });
});

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const bodyOf = (operation: Operation) => operation.requestBody?.content['application/json']?.schema;
const answerOf = (operation: Operation, status = '200') =>
  operation.responses[status]?.content['application/json']?.schema;

test('Create Request is secured only by the API key, and takes and answers the spec’s models', () => {
  const { post } = document.paths['/requests/'];
  expect(document.paths).not.toHaveProperty('/requests');
  expect(post).toMatchObject({
    operationId: 'requests.create',
    security: [{ apiKey: [] }],
    requestBody: { required: true },
  });
  expect(bodyOf(post)).toEqual(ref('RequestInfo'));
  expect(answerOf(post)).toEqual(ref('RequestModel'));
  expect(answerOf(post, '422')).toEqual(ref('HTTPValidationError'));
  const { description: _text, ...apiKey } = document.components.securitySchemes.apiKey;
  expect(apiKey).toEqual({ type: 'apiKey', in: 'header', name: 'x-key' });
  expect(Object.keys(document.components.securitySchemes)).toEqual(['apiKey']);
});

test('a provider’s section is first and has only what a provider calls, and the webhook’s is the second', () => {
  expect(document.tags.slice(0, 2).map(({ name }: { name: string }) => name)).toEqual(['Intake', 'Webhooks']);
  expect(document.webhooks.verificationResult.post.tags).toEqual(['Webhooks']);
  const intake = operations.filter(({ tags }) => tags.includes('Intake'));
  expect(intake.length).toBeGreaterThan(5);
  for (const { operationId } of intake)
    expect(OPERATIONS[operationId as keyof typeof OPERATIONS].audience, operationId).toContain('provider');
});

test('Verification Output needs no key, and its answer has no schema', () => {
  const { post } = document.paths['/verification-output'];
  expect(post.security).toEqual([]);
  expect(post.requestBody.required).toBe(true);
  expect(bodyOf(post)).toEqual(ref('ResponseModel'));
  expect(answerOf(post)).toEqual({});
  expect(answerOf(post, '422')).toEqual(ref('HTTPValidationError'));
});

test('every other operation needs the API key', () => {
  for (const { operationId, security } of operations) {
    expect(security, operationId).toEqual(
      operationId === 'verificationOutput.submit' ? [] : [{ apiKey: [] }],
    );
  }
  expect(document).not.toHaveProperty('security');
});

test('the webhook has the result as its body and the signature headers', () => {
  const { post } = document.webhooks.verificationResult;
  expect(bodyOf(post)).toEqual(ref('ResponseModel'));
  const headers = post.parameters.map(({ name, in: place, required }: Record<string, unknown>) => [
    place,
    name,
    required,
  ]);
  expect(headers).toEqual([
    ['header', 'webhook-id', true],
    ['header', 'webhook-timestamp', true],
    ['header', 'webhook-signature', true],
    ['header', 'verification-version', true],
    ['header', 'verification-benefits', undefined],
  ]);
});

/** The statuses that every operation can answer, and every one that needs a key: the lists are part of the contract. */
const ALWAYS = [400, 408, 413, 415, 431, 500, 503];
const WITH_KEY = [401, 403, 429];

test('every operation documents every status it can answer, and no other', () => {
  const documented = operations.map(({ operationId, responses }) => [
    operationId,
    Object.keys(responses).map(Number),
  ]);
  const promised = Object.entries(PROMISED).map(([id, { scopes, also, success = 200 }]) => [
    id,
    [success, ...ALWAYS, ...(scopes.length > 0 ? WITH_KEY : []), ...also].toSorted((a, b) => a - b),
  ]);
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(promised));
});

test('every error but 422 is a problem, and what can be waited for says how long', () => {
  for (const { operationId, responses } of operations) {
    for (const [status, { content, headers = {} }] of Object.entries(responses)) {
      if (status < '400' || status === '422') continue;
      expect(content, `${operationId} ${status}`).toEqual({
        'application/problem+json': { schema: ref('Problem'), examples: expect.anything() },
      });
      if (status === '429' || status === '503')
        expect(headers, `${operationId} ${status}`).toHaveProperty('Retry-After');
    }
  }
  const { responses } = document.paths['/requests/'].post;
  expect(responses['409'].headers).toHaveProperty('Retry-After');
  expect(responses['200'].headers).toHaveProperty('Idempotency-Replayed');
  expect(responses['503'].description).toBe(PROBLEMS.unavailable.sentence);
});
