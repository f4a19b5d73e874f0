import { type OperationName, Scope } from '@insurance-verification/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { startTestService, type TestService } from '../a-service.ts';
import { doors, operationNames } from '../doors.ts';
import { FOR_PEOPLE, inputOf, SCOPES } from './scopes.ts';

let service: TestService;
const keys = new Map<Scope, string>();
beforeAll(async () => {
  service = await startTestService();
  for (const scope of Scope.options) keys.set(scope, await aKey(service, [scope]));
});
afterAll(() => service.stop());

const secured = operationNames.filter((operation) => operation !== 'verificationOutput.submit');

// Without it an operation added to the table could be left open.
test('every operation but one is in the table of scopes', () => {
  expect(Object.keys(SCOPES)).toEqual(secured);
});

// Without it a reader of the document would learn of a scope by being refused.
test('the document says of every operation which scopes do', async () => {
  const { paths } = await service.answer<{
    paths: Record<string, Record<string, { operationId: OperationName; description: string }>>;
  }>('GET', '/openapi.json');
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(operations).toHaveLength(operationNames.length);
  for (const { operationId, description } of operations) {
    const scopes = SCOPES[operationId];
    const [, ...told] = description.split('\n\n');
    const who = FOR_PEOPLE.has(operationId)
      ? 'For people who are signed in to the console: a key is refused.'
      : scopes && `Scope: ${scopes.join(' or ')}.`;
    expect([operationId, told]).toEqual([operationId, who ? [who] : []]);
  }
});

describe.each(doors)('through $name', (door) => {
  test.each(secured)('%s answers 401 without a key', async (operation) => {
    const answer = await door.call(service, operation, inputOf(operation), { key: null });
    expect(answer.status).toBe(401);
    expect(answer.json).toEqual(door.problem('unauthorized'));
  });

  const forKeys = secured.filter((operation) => !FOR_PEOPLE.has(operation));

  // Each of the seven scopes except the operation's own, alone on a key.
  test.each(forKeys)(
    '%s answers 403 to a key without its scope, and names those that would do',
    async (operation) => {
      for (const [scope, key] of keys) {
        if (SCOPES[operation]?.includes(scope)) continue;
        const answer = await door.call(service, operation, inputOf(operation), { key });
        expect(answer.status).toBe(403);
        expect(answer.json).toEqual(
          door.problem('forbidden', { required_scopes: [...(SCOPES[operation] ?? [])] }),
        );
      }
    },
  );

  test.each([...FOR_PEOPLE])('%s answers 403 to every key', async (operation) => {
    for (const key of keys.values()) {
      const answer = await door.call(service, operation, inputOf(operation), { key });
      expect([answer.status, answer.json]).toEqual([403, door.problem('person_required')]);
    }
  });

  test.each(forKeys)('%s lets a key with its scope past the door', async (operation) => {
    for (const scope of SCOPES[operation] ?? []) {
      const { status } = await door.call(service, operation, inputOf(operation), {
        key: keys.get(scope) ?? '',
      });
      expect([200, 404, 422]).toContain(status);
    }
  });
});
