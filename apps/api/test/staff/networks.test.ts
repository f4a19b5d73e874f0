import type { StaffMember } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { anAccount } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { consoleTransport } from '../transports.ts';
import { aSession, BEHIND_A_PROXY, type TestSession } from './a-session.ts';

const service = useService({ env: { ...BEHIND_A_PROXY, ROLES: 'http' } });

const OFFICE = '203.0.113.0/24';

const callFrom = (
  { asked }: TestSession,
  address: string,
  operation: 'sessions.me' | 'staff.setRoles',
  input = {},
) =>
  consoleTransport.call(service, operation, input, {
    ...asked,
    headers: { ...asked.headers, 'x-forwarded-for': address },
  });

// Broke: only accounts had networks, so people of the platform, who reach every account, came from anywhere.
test('a person of the platform who is kept to networks works from nowhere else', async () => {
  const person = await aSession(service, { roles: ['operator'] });
  const path = `/staff/${person.staff_id}/roles`;
  const roles = ['operator'];
  const set = await service.answer<StaffMember>('POST', path, { roles, allowed_cidrs: [OFFICE] });
  expect(set.allowed_cidrs).toEqual([OFFICE]);
  expect((await callFrom(person, '203.0.113.9', 'sessions.me')).status).toBe(200);
  const away = await callFrom(person, '198.51.100.9', 'sessions.me');
  expect([away.status, away.json]).toEqual([403, consoleTransport.problem('address_not_allowed')]);
  const events = await service.ask('GET', '/console/events', {
    key: null,
    headers: { ...person.asked.headers, 'x-forwarded-for': '198.51.100.9' },
  });
  expect(events.status).toBe(403);
  // Other roles leave the networks as they are; null takes them away.
  expect(await service.answer('POST', path, { roles: ['auditor'] })).toMatchObject({
    allowed_cidrs: [OFFICE],
  });
  await service.answer('POST', path, { roles, allowed_cidrs: null });
  expect((await callFrom(person, '198.51.100.9', 'sessions.me')).status).toBe(200);
});

test('an admin does not lock themselves out by networks, nor take their own away while there is another admin', async () => {
  const admin = await aSession(service, { roles: ['admin'] });
  await aSession(service, { roles: ['admin'] });
  const given = { staff_id: admin.staff_id, roles: ['admin'] };
  const from = '203.0.113.9';
  const set = (allowed_cidrs: string[] | null) =>
    callFrom(admin, from, 'staff.setRoles', { ...given, allowed_cidrs });
  const lockedOut = await set(['198.51.100.0/24']);
  expect([lockedOut.status, lockedOut.json]).toEqual([409, consoleTransport.problem('locks_caller_out')]);
  expect((await set([OFFICE])).status).toBe(200);
  const freed = await set(null);
  expect([freed.status, freed.json]).toEqual([409, consoleTransport.problem('another_admin_required')]);
});

test('people of an account have the networks of their account', async () => {
  const { account_id } = await anAccount(service);
  const body = { name: 'Jo', roles: ['viewer'], account_id, allowed_cidrs: [OFFICE] };
  const { status, json } = await service.ask('POST', '/staff', { body });
  expect([status, json]).toMatchObject([422, { detail: [{ loc: ['body', 'allowed_cidrs'] }] }]);
});
