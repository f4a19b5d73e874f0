import { type OperationFact, type OperationName, OPERATIONS } from '@insurance-verification/schema/contract';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { useService } from './a-service.ts';

// A provider has a URL and a key: the document that he reads has what his key may call.

const service = useService({ env: { ROLES: 'http' } });

interface Document {
  readonly paths: Record<string, Record<string, { readonly operationId: string; readonly tags: string[] }>>;
  readonly tags: readonly { readonly name: string }[];
  readonly webhooks?: object;
  readonly components: { readonly schemas: object };
}

const documentFor = (audience: string) =>
  service.answer<Document>('GET', `/openapi.json?for=${audience}`, undefined, undefined);

const isForPeople = (name: string) => {
  const fact: OperationFact | undefined = OPERATIONS[name as OperationName];
  return fact?.forPeople === true;
};

const operationsOf = ({ paths }: Document) =>
  Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));

test.each(['provider', 'verifier', 'operator'])(
  'the document for %s is whole and valid by itself',
  async (audience) => {
    const document = await documentFor(audience);
    expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true });
    const text = JSON.stringify(document);
    const names = [...text.matchAll(/#\/components\/schemas\/([\w.-]+)/g)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set(Object.keys(document.components.schemas)));
    const used = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ tags }) => tags),
    );
    if (document.webhooks) used.push('Webhooks');
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(new Set(used));
  },
);

test('each has what its scopes may call, and only a provider receives the webhook', async () => {
  const [provider, verifier, operator, all] = await Promise.all(
    ['provider', 'verifier', 'operator', 'all'].map(async (audience) => documentFor(audience)),
  );
  if (!provider || !verifier || !operator || !all) throw new Error('Four were asked for.');
  expect(operationsOf(provider)).toEqual(expect.arrayContaining(['requests.create', 'webhookSecret.rotate']));
  expect(
    operationsOf(provider).filter((name) => /^(work|staff|keys|heldOutputs|audit|passkeys)\./.test(name)),
  ).toEqual([]);
  expect(operationsOf(verifier)).toEqual(expect.arrayContaining(['work.claim', 'verificationOutput.submit']));
  expect(operationsOf(operator)).toEqual(expect.arrayContaining(['heldOutputs.apply', 'keys.create']));
  expect(operationsOf(operator)).not.toContain('requests.create');
  const some = [provider, verifier, operator].flatMap(operationsOf);
  // A key is refused these: only a person calls them, in the console.
  const rest = operationsOf(all).filter((name) => !some.includes(name));
  expect(rest.filter((name) => !isForPeople(name))).toEqual([]);
  expect([provider, verifier, operator].map(({ webhooks }) => webhooks !== undefined)).toEqual([
    true,
    false,
    false,
  ]);
});

test('the provider’s takes 350 KB at most, and 40 KB compressed', async () => {
  const ask = (encoding: string) =>
    fetch(`${service.url}/openapi.json?for=provider`, { headers: { 'accept-encoding': encoding } });
  const plain = Buffer.from(await (await ask('identity')).arrayBuffer());
  expect(plain.length).toBeLessThanOrEqual(350_000);
  const raw = await service.ask('GET', '/openapi.json?for=provider', {
    key: null,
    headers: { 'accept-encoding': 'gzip' },
  });
  expect([raw.headers['content-encoding'], Number(raw.headers['content-length']) <= 40_000]).toEqual([
    'gzip',
    true,
  ]);
  for (const encoding of ['gzip', 'br']) {
    const answer = await ask(encoding);
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(plain);
  }
});

test('who has it is answered 304, and a cache keeps it for the client that asked', async () => {
  const ask = (path: string, headers: Record<string, string> = {}) =>
    service.ask('GET', path, { key: null, headers });
  const { headers } = await ask('/openapi.json');
  const etag = String(headers['etag']);
  expect(headers['cache-control']).toBe('private, max-age=300');
  const again = await ask('/openapi.json', { 'if-none-match': etag });
  expect([again.status, again.text]).toEqual([304, '']);
  expect((await ask('/openapi.json?for=provider', { 'if-none-match': etag })).status).toBe(200);
});

test.each([
  ['for=clinic', ['query', 'for'], 'enum'],
  ['audience=provider', ['query', 'audience'], 'extra_forbidden'],
])('another parameter is refused: %s', async (query, loc, type) => {
  const { status, json } = await service.ask('GET', `/openapi.json?${query}`, { key: null });
  expect([status, json]).toMatchObject([422, { detail: [{ loc, type }] }]);
});
