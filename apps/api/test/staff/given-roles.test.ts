import { expect, test } from 'vitest';
import { anAccount } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { alter } from '../rows.ts';
import { consoleTransport } from '../transports.ts';
import { aSession, BEHIND_A_PROXY, callsOf, type TestSession } from './a-session.ts';

const service = useService({ env: BEHIND_A_PROXY });

const call = callsOf(() => service);

const statusOf = async (session: TestSession) => (await call(session, 'sessions.me')).status;

test('other roles hold from the next call on, and an ended person has none', async () => {
  const admin = await aSession(service, { roles: ['admin'] });
  const person = await aSession(service, { roles: ['operator'] });
  const { staff_id } = person;
  expect((await call(person, 'heldOutputs.list')).status).toBe(200);
  await call(admin, 'staff.setRoles', { staff_id, roles: ['auditor'] });
  expect((await call(person, 'heldOutputs.list')).status).toBe(403);
  expect((await call(person, 'audit.list')).status).toBe(200);
  const ended = await call(admin, 'staff.end', { staff_id });
  expect(ended.status).toBe(200);
  expect(await statusOf(person)).toBe(401);
  expect((await call(admin, 'staff.link', { staff_id })).status).toBe(404);
  expect((await call(admin, 'staff.end', { staff_id })).json).toEqual(ended.json);
});

// Without it a typo would leave a person with a role that no check knows, or one of an account with the platform's.
test('an unknown role is refused by name, and so is one of the platform for a person of an account', async () => {
  const { account_id } = await anAccount(service);
  const { staff_id } = await aSession(service, { roles: ['viewer'], account_id });
  const admin = await aSession(service, { roles: ['admin'] });
  for (const [operation, input] of [
    ['staff.setRoles', { staff_id }],
    ['staff.add', { name: 'Eve', account_id }],
  ] as const) {
    const unknown = await call(admin, operation, { ...input, roles: ['viewer', 'boss'] });
    expect([unknown.status, unknown.json]).toEqual([
      422,
      consoleTransport.invalid({
        loc: ['body', 'roles', 1],
        msg: "Input should be 'viewer', 'requester', 'verifier', 'operator', 'admin', 'auditor' or 'privacy'",
        type: 'enum',
      }),
    ]);
    const others = await call(admin, operation, { ...input, roles: ['verifier'] });
    expect([others.status, others.json]).toEqual([
      422,
      consoleTransport.invalid({
        loc: ['body', 'roles'],
        msg: 'People of an account may have the roles viewer and requester only',
        type: 'value_error',
      }),
    ]);
  }
});

test('an admin takes neither the role nor the access from themselves', async () => {
  const admin = await aSession(service, { roles: ['admin', 'operator'] });
  const { staff_id } = admin;
  for (const [operation, input] of [
    ['staff.setRoles', { staff_id, roles: ['operator'] }],
    ['staff.end', { staff_id }],
  ] as const) {
    const answer = await call(admin, operation, input);
    expect([answer.status, answer.json]).toEqual([409, consoleTransport.problem('locks_caller_out')]);
  }
});

// Broke: an admin, who sees no patients, made themselves an operator without anybody's knowing.
test('an admin gives themselves no role while there is another admin, who can', async () => {
  const [admin, other] = [
    await aSession(service, { roles: ['admin'] }),
    await aSession(service, { roles: ['admin'] }),
  ];
  const { staff_id } = admin;
  const given = { staff_id, roles: ['admin', 'operator'] };
  const refused = await call(admin, 'staff.setRoles', given);
  expect([refused.status, refused.json]).toEqual([409, consoleTransport.problem('another_admin_required')]);
  expect((await call(admin, 'staff.setRoles', { staff_id, roles: ['admin'] })).status).toBe(200);
  expect((await call(other, 'staff.setRoles', given)).status).toBe(200);
  // One who was ended, or who is of an account, is no other admin.
  await alter(
    service.databaseUrl,
    `update staff set ended_at = now() where id <> $1 and 'admin' = any (roles)`,
    [staff_id],
  );
  const more = await call(admin, 'staff.setRoles', { staff_id, roles: ['admin', 'operator', 'auditor'] });
  expect(more.status).toBe(200);
});

// An admin's slip must not make a portal user an operator.
test.each([[['operator']], [['viewer', 'admin']], [['verifier']]])(
  'no person of an account has the roles %s',
  async (roles) => {
    const { account_id } = await anAccount(service);
    const body = { name: 'Eve', roles, account_id };
    const answer = await service.ask('POST', '/staff', { body });
    expect([answer.status, answer.json]).toEqual([
      422,
      {
        detail: [
          {
            loc: ['body', 'roles'],
            msg: 'People of an account may have the roles viewer and requester only',
            type: 'value_error',
          },
        ],
      },
    ]);
  },
);
