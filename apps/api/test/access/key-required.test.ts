import { Scope } from '@insurance-verification/schema';
import type { OperationName } from '@insurance-verification/schema/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { PROMISED } from '../promised.ts';
import { transports, inputOf, operationNames } from '../transports.ts';

const service = useService();
const keys = new Map<Scope, string>();
beforeAll(async () => {
  for (const scope of Scope.options) keys.set(scope, await aKey(service, [scope]));
});

const secured = operationNames.filter((operation) => operation !== 'verificationOutput.submit');

// Without it an operation added to the table could be left open.
test('every operation but one is promised to need a scope', () => {
  expect(Object.keys(PROMISED).toSorted()).toEqual(operationNames.toSorted());
  expect(operationNames.filter((operation) => PROMISED[operation].scopes.length > 0)).toEqual(secured);
});

// Without it a reader of the document would learn of a scope by being refused.
test('the document says of every operation which scopes do', async () => {
  const { paths } = await service.answer<{
    paths: Record<string, Record<string, { operationId: OperationName; description: string }>>;
  }>('GET', '/openapi.json');
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(operations).toHaveLength(operationNames.length);
  for (const { operationId, description } of operations) {
    const { scopes, forPeople } = PROMISED[operationId];
    const [, ...stated] = description.split('\n\n');
    const who = forPeople
      ? 'For people who are signed in to the console: a key is refused.'
      : `Scope: ${scopes.join(' or ')}.`;
    expect([operationId, stated]).toEqual([operationId, scopes.length > 0 ? [who] : []]);
  }
});

describe.each(transports)('over $name', (transport) => {
  test.each(secured)('%s answers 401 without a key', async (operation) => {
    const answer = await transport.call(service, operation, inputOf(operation), { key: null });
    expect(answer.status).toBe(401);
    expect(answer.json).toEqual(transport.problem('unauthorized'));
  });

  const forPeople = secured.filter((operation) => PROMISED[operation].forPeople);
  const forKeys = secured.filter((operation) => !PROMISED[operation].forPeople);

  // Each of the seven scopes except the operation's own, alone on a key.
  test.each(forKeys)(
    '%s answers 403 to a key without its scope, and names those that would do',
    async (operation) => {
      for (const [scope, key] of keys) {
        if (PROMISED[operation].scopes.includes(scope)) continue;
        const answer = await transport.call(service, operation, inputOf(operation), { key });
        expect(answer.status).toBe(403);
        expect(answer.json).toEqual(
          transport.problem('forbidden', { required_scopes: [...PROMISED[operation].scopes] }),
        );
      }
    },
  );

  test.each(forPeople)('%s answers 403 to every key', async (operation) => {
    for (const key of keys.values()) {
      const answer = await transport.call(service, operation, inputOf(operation), { key });
      expect([answer.status, answer.json]).toEqual([403, transport.problem('person_required')]);
    }
  });

  test.each(forKeys)('%s lets a key with its scope past authorization', async (operation) => {
    for (const scope of PROMISED[operation].scopes) {
      const { status } = await transport.call(service, operation, inputOf(operation), {
        key: keys.get(scope) ?? '',
      });
      expect([200, 404, 422]).toContain(status);
    }
  });
});
