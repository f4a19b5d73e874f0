import { type Scope, StaffRole } from '@insurance-verification/schema';
import { type OperationName, OPERATIONS } from '@insurance-verification/schema/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { PROMISED } from '../promised.ts';
import { consoleTransport, inputOf, operationNames } from '../transports.ts';
import { aSession, BEHIND_A_PROXY, OWN_PAGE, type TestSession } from './a-session.ts';

const service = useService({ env: BEHIND_A_PROXY });
const sessions = new Map<StaffRole, TestSession>();
beforeAll(async () => {
  for (const role of StaffRole.options) sessions.set(role, await aSession(service, { roles: [role] }));
});

/** The scopes of each role, repeated by hand. */
const ROLES: Record<StaffRole, readonly Scope[]> = {
  viewer: ['requests'],
  requester: ['requests'],
  verifier: ['verify'],
  operator: ['operate'],
  admin: ['admin', 'secrets'],
  auditor: ['audit'],
  privacy: ['privacy'],
};

const secured = operationNames.filter((operation) => operation !== 'verificationOutput.submit');

function mayCall(role: StaffRole, operation: OperationName): boolean {
  const { scopes, forPeople, forViewers } = PROMISED[operation];
  const doesNothing =
    role === 'viewer' && OPERATIONS[operation].method === 'POST' && !forPeople && !forViewers;
  return !doesNothing && scopes.some((scope) => ROLES[role].includes(scope));
}

describe.each(StaffRole.options)('a session of the role %s', (role) => {
  // Without it a page's hidden button would be the only thing that stops a person without permission.
  test.each(secured)('comes to %s only if one of its scopes does', async (operation) => {
    const { asked } = sessions.get(role) ?? {};
    const answer = await consoleTransport.call(service, operation, inputOf(operation), asked);
    if (mayCall(role, operation)) {
      // 409: passkeys are not made at 127.0.0.1.
      expect([200, 404, 422, ...(operation === 'passkeys.begin' ? [409] : [])]).toContain(answer.status);
      return;
    }
    expect(answer.status).toBe(403);
    expect(answer.json).toEqual(
      consoleTransport.problem('forbidden', { required_scopes: [...PROMISED[operation].scopes] }),
    );
  });
});

test.each(operationNames)('%s answers 401 without a session, with a key as well', async (operation) => {
  const answer = await consoleTransport.call(service, operation, inputOf(operation), { headers: OWN_PAGE });
  expect([answer.status, answer.json]).toEqual([401, consoleTransport.problem('signed_out')]);
});
