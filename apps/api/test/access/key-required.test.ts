import { Scope } from '@insurance-verification/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { startTestService, type TestService } from '../a-service.ts';
import { doors, type Operation, OPERATIONS } from '../doors.ts';

let service: TestService;
const keys = new Map<Scope, string>();
beforeAll(async () => {
  service = await startTestService();
  for (const scope of Scope.options) keys.set(scope, await aKey(service, [scope]));
});
afterAll(() => service.stop());

/** The scopes of each operation, written down a second time; the one open operation is not here. */
const SCOPES: Partial<Record<Operation, readonly Scope[]>> = {
  'requests.create': ['requests'],
  'requests.list': ['requests'],
  'requests.get': ['requests', 'operate'],
  'requests.result': ['requests', 'operate'],
  'requests.deliveries': ['requests', 'operate'],
  'requests.redeliver': ['requests'],
  'requests.close': ['requests', 'operate'],
  'deliveries.redeliverExhausted': ['requests', 'operate'],
  'requests.attempts': ['requests', 'operate'],
  'requests.exchanges': ['operate'],
  'work.claim': ['verify'],
  'work.claimRequest': ['verify'],
  'work.heartbeat': ['verify'],
  'work.release': ['verify'],
  'work.fail': ['verify'],
  'work.submit': ['verify'],
  'work.stats': ['verify', 'operate'],
  'work.payers': ['verify', 'operate'],
  'heldOutputs.list': ['operate'],
  'heldOutputs.get': ['operate'],
  'heldOutputs.apply': ['operate'],
  'heldOutputs.dismiss': ['operate'],
  'heldOutputs.dismissMany': ['operate'],
  'keys.create': ['admin'],
  'keys.list': ['admin'],
  'keys.revoke': ['admin'],
  'accounts.create': ['admin'],
  'accounts.list': ['admin'],
  'accounts.suspend': ['admin'],
  'accounts.resume': ['admin'],
  'accounts.limits': ['admin'],
  'accounts.setLimits': ['admin'],
  'audit.list': ['audit'],
  'reports.responseTimes': ['operate'],
  'webhookSecret.get': ['secrets'],
  'webhookSecret.rotate': ['secrets'],
};

const secured = OPERATIONS.filter((operation) => operation !== 'verificationOutput.submit');

// Without it an operation added to the table could be left open.
test('every operation but one is in the table of scopes', () => {
  expect(Object.keys(SCOPES)).toEqual(secured);
});

// Without it a reader of the document would learn of a scope by being refused.
test('the document says of every operation which scopes do', async () => {
  const { paths } = await service.answer<{
    paths: Record<string, Record<string, { operationId: Operation; description: string }>>;
  }>('GET', '/openapi.json');
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(operations).toHaveLength(OPERATIONS.length);
  for (const { operationId, description } of operations) {
    const scopes = SCOPES[operationId];
    const [, ...told] = description.split('\n\n');
    expect([operationId, told]).toEqual([operationId, scopes ? [`Scope: ${scopes.join(' or ')}.`] : []]);
  }
});

describe.each(doors)('through $name', (door) => {
  const ids = { request_id: 'req_x', held_id: 'held_x', key_id: 'key_x', account_id: 'acct_x' };
  const inputOf = (operation: Operation) =>
    operation.startsWith('requests.') && operation !== 'requests.create' && operation !== 'requests.list'
      ? { request_id: ids.request_id }
      : operation.startsWith('heldOutputs.') &&
          operation !== 'heldOutputs.list' &&
          operation !== 'heldOutputs.dismissMany'
        ? { held_id: ids.held_id }
        : ['accounts.suspend', 'accounts.resume', 'accounts.limits', 'accounts.setLimits'].includes(operation)
          ? { account_id: ids.account_id }
          : operation === 'keys.revoke'
            ? { key_id: ids.key_id }
            : operation.startsWith('work.') &&
                !['work.claim', 'work.stats', 'work.payers'].includes(operation)
              ? { request_id: ids.request_id }
              : {};

  test.each(secured)('%s answers 401 without a key', async (operation) => {
    const answer = await door.call(service, operation, inputOf(operation), { key: null });
    expect(answer.status).toBe(401);
    expect(answer.json).toEqual(door.problem('unauthorized'));
  });

  // Every scope of the seven that is not the operation's own, each alone on a key.
  test.each(secured)(
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

  test.each(secured)('%s lets a key with its scope past the door', async (operation) => {
    for (const scope of SCOPES[operation] ?? []) {
      const { status } = await door.call(service, operation, inputOf(operation), {
        key: keys.get(scope) ?? '',
      });
      expect([200, 404, 422]).toContain(status);
    }
  });
});
