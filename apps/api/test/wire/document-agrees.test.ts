import type { Account } from '@insurance-verification/schema';
import { type OperationFact, OPERATIONS } from '@insurance-verification/schema/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import type { Answer } from '../send.ts';
import { withWholeAnswers } from '../whole-answers.ts';
import { type Document, resolve, type Schema } from './fuzz/document.ts';

const service = useService({ env: { ROLES: 'http' } });
let document: Document;
beforeAll(async () => {
  document = withWholeAnswers(await service.answer<Document>('GET', '/openapi.json')) as Document;
  await service.answer('POST', '/accounts', { name: 'Tests', mode: 'test' }); // whose request a demo is
});

const NDJSON = { 'content-type': 'application/x-ndjson' };

const facts: Readonly<Record<string, OperationFact>> = OPERATIONS;

/** Every operation that a key may call; its path names nothing stored, so a valid call ends in a 404 there. */
const operations = () => documented().filter(({ operationId }) => !facts[operationId]?.forPeople);

const documented = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, 'x'),
    })),
  );

const exampleOf = (parameters: readonly { readonly name: string; readonly example?: unknown }[]) =>
  new URLSearchParams(
    parameters.map(({ name, example }): [string, string] => [name, String(example)]),
  ).toString();

/** Whether the document allows this text in a query; no format of the document allows an empty one. */
function allowsText(reference: Schema, text: string): boolean {
  const schema = resolve(document, reference);
  if (schema.enum) return schema.enum.includes(text);
  if (schema.format !== undefined && text === '') return false;
  if (schema.type === 'integer') return /^\d+$/.test(text);
  return text.length >= (schema.minLength ?? 0) && text.length <= (schema.maxLength ?? Infinity);
}

function allowsNull(reference: Schema): boolean {
  const schema = resolve(document, reference);
  return schema.type === 'null' || (schema.anyOf ?? []).some(allowsNull);
}

test('what the document gives as an example is accepted', async () => {
  const { account_id } = await service.answer<Account>('POST', '/accounts', { name: 'Main Street Dental' });
  for (const { operationId, method, path, parameters = [], requestBody } of operations()) {
    const existing = (text: string) => text.replace(/acct_\w{26}/, account_id);
    const query = existing(exampleOf(parameters.filter((each) => each.in === 'query')));
    const { examples = {}, example = examples['member']?.value } =
      requestBody?.content['application/json'] ?? {};
    const rows = requestBody?.content['application/x-ndjson']?.example as string | undefined;
    const body = example === undefined ? rows : existing(JSON.stringify(example));
    const headers = rows === undefined ? {} : { ...NDJSON, 'idempotency-key': 'of the document' };
    const { status } = await service.ask(method, query ? `${path}?${query}` : path, { body, headers });
    const success = facts[operationId]?.status ?? 200;
    expect([operationId, status]).toEqual([operationId, path.includes('/x') ? 404 : success]);
  }
});

// Whoever generates a client finds what people do for themselves in it too, and is told why a key cannot.
test('what people do for themselves is documented, and refused to a key by name', async () => {
  const forPeople = documented().filter(({ operationId }) => facts[operationId]?.forPeople);
  expect(forPeople.map(({ operationId }) => operationId)).toContain('settings.get');
  for (const { operationId, method, path } of forPeople) {
    const { status, json } = await service.ask(method, path, { body: method === 'GET' ? undefined : {} });
    expect([operationId, status, json]).toEqual([
      operationId,
      403,
      expect.objectContaining({ code: 'person_required' }),
    ]);
  }
});

test('the example of a 422 is what an empty body gets', async () => {
  for (const { operationId, method, path, requestBody, responses } of operations()) {
    if (!requestBody?.required) continue;
    const takesRows = facts[operationId]?.takesRows;
    const { status, json } = await service.ask(method, path, { body: {}, headers: takesRows ? NDJSON : {} });
    const { example } = responses['422']?.content?.['application/json'] ?? {};
    expect([operationId, status, json]).toEqual([operationId, 422, example]);
  }
});

test('the example of a create is stored, and answered as the example of its answer says', async () => {
  const { requestBody, responses } = document.paths['/requests/']?.['post'] ?? {};
  const { status, json } = await service.ask('POST', '/requests/', {
    body: requestBody?.content['application/json']?.examples?.['member']?.value,
  });
  const issued = { request_id: expect.any(String), received_timestamp: expect.any(String) };
  const { pending } = responses?.['200']?.content?.['application/json']?.examples ?? {};
  expect([status, json]).toEqual([200, { ...(pending?.value as object), ...issued }]);
  const { request_id } = json as { request_id: string };
  expect(await service.answer('GET', `/requests/${request_id}`)).toEqual(json);
});

const missing = { detail: [{ loc: ['body'], msg: 'Field required', type: 'missing' }] };
const at = ({ json }: Answer) => (json as { detail: { loc: string[] }[] }).detail.map(({ loc }) => loc);

// A client generated from the document sends what the document allows, and must not be refused for it.
test('an empty text in a query is refused where the document refuses it, and nowhere else', async () => {
  const parameters = operations().flatMap(({ operationId, path, parameters: given = [] }) =>
    given
      .filter((each) => each.in === 'query')
      .map(({ name, schema }) => ({
        operationId,
        path: `${path}?${exampleOf(given.filter((each) => each.required && each.in === 'query' && each.name !== name))}`,
        name,
        schema,
      })),
  );
  expect(parameters.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['cursor', 'limit', 'month', 'state']),
  );
  for (const { operationId, path, name, schema } of parameters) {
    for (const query of [`${name}=`, name, `${name}=1&${name}=`, `${name}=&${name}=`]) {
      const answer = await service.ask('GET', `${path}&${query}`);
      const isRefused = answer.status === 422;
      expect({ operationId, query, isRefused }).toEqual({
        operationId,
        query,
        isRefused: !allowsText(schema, ''),
      });
      if (isRefused) expect(at(answer)).toEqual([['query', name]]);
    }
  }
});

describe.each([
  ['an absent body', undefined],
  ['null', 'null'],
])('%s', (what, body) => {
  test('is missing where the document requires a body, and accepted where it does not', async () => {
    for (const { operationId, method, path, requestBody } of operations()) {
      const { required = false, content } = requestBody ?? {};
      const schema = content?.['application/json']?.schema;
      if (!schema) continue; // none, or a file of rows, in which null is a row with a fault
      const isAllowed = body === undefined ? !required : allowsNull(schema);
      const answer = await service.ask(method, path, { body });
      expect({ operationId, what, isAccepted: answer.status !== 422 }).toEqual({
        operationId,
        what,
        isAccepted: isAllowed,
      });
      if (!isAllowed) expect(answer.json).toEqual(missing);
    }
  });

  // Otherwise two documents would be needed: an optional body may be absent, null or empty, with the same meaning.
  test('is accepted where an empty object is, as an absent one is, wherever it is accepted at all', async () => {
    for (const { operationId, method, path, requestBody } of operations()) {
      if (!requestBody || requestBody.required) continue;
      const [given, empty] = [
        await service.ask(method, path, { body }),
        await service.ask(method, path, { body: {} }),
      ];
      expect({ operationId, status: given.status, text: given.text }).toEqual({
        operationId,
        status: empty.status,
        text: empty.text,
      });
    }
  });

  test('is what nothing is, to an operation that takes no body', async () => {
    for (const { operationId, method, path, requestBody } of operations()) {
      if (requestBody || method === 'GET' || operationId === 'webhookSecret.rotate') continue;
      const { status } = await service.ask(method, path, { body });
      expect([operationId, status]).toEqual([operationId, path.includes('/x') ? 404 : 200]);
    }
  });

  test('means through tRPC what it means through REST', async () => {
    for (const { operationId, method, parameters = [], requestBody } of operations()) {
      if (operationId === 'webhookSecret.rotate') continue;
      const namesAll = parameters.some(({ required }) => required) || requestBody?.required === true;
      const answer =
        method === 'GET'
          ? await service.ask('GET', `/trpc/${operationId}${body === undefined ? '' : '?input=null'}`)
          : await service.ask('POST', `/trpc/${operationId}`, {
              body,
              headers: { 'content-type': 'application/json' },
            });
      expect({ operationId, isRefused: answer.status === 422 }).toEqual({ operationId, isRefused: namesAll });
      const { error } = answer.json as { error?: { data: { detail?: unknown } } };
      if (namesAll && method === 'POST') expect(error?.data.detail).toEqual(missing.detail);
    }
  });
});
