import type {
  AddedStaff,
  EndedSession,
  Myself,
  StaffLink,
  StaffMember,
  StaffSessionList,
} from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { type TestService, useService } from '../a-service.ts';
import { iv, ivJson, naming } from '../iv.ts';

const service = useService();

/** Opens a link like the page that a browser shows for it. */
async function open({ url }: TestService, link: string): Promise<{ status: number; me: Myself }> {
  const answer = await fetch(`${url}/console/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, 'origin-secret': 'A'.repeat(43) },
    body: JSON.stringify({ token: link.split('#')[1] }),
  });
  return { status: answer.status, me: (await answer.json()) as Myself };
}

// Breaks if closing the terminal of the start locks its operator out of the console.
test('console makes a link of the first person, which signs in once', async () => {
  const { exitCode, stdout, stderr } = await iv(['console'], naming(service()));
  expect([exitCode, stderr]).toEqual([0, 'The link works once, until it expires, and is shown this once.\n']);
  const { port } = new URL(service().url);
  const link = new RegExp(String.raw`^link +(http://localhost:${port}/console/sign-in#[\w-]{43})$`, 'm').exec(
    stdout,
  );
  const { status, me } = await open(service(), link?.[1] ?? '');
  expect([status, me.name]).toEqual([200, 'First person']);
  expect((await open(service(), link?.[1] ?? '')).status).toBe(401);
});

test('a person is added, given other roles, given a link, signed out and ended', async () => {
  const env = naming(service());
  const added = await ivJson<AddedStaff>(
    ['staff', 'add', '--name', 'Ada', '--role', 'verifier', 'operator'],
    env,
  );
  expect(added).toMatchObject({ name: 'Ada', roles: ['verifier', 'operator'], account_id: null });
  const { staff_id } = added;
  const changed = await ivJson<StaffMember>(['staff', 'set-roles', staff_id, '--role', 'auditor'], env);
  expect(changed.roles).toEqual(['auditor']);

  const unknown = await iv(['staff', 'set-roles', staff_id, '--role', 'boss'], env);
  expect([unknown.exitCode, unknown.stdout]).toEqual([2, '']);
  expect(unknown.stderr).toContain("'boss' is invalid");
  expect(unknown.stderr).toContain('verifier');

  const { link } = await ivJson<StaffLink>(['staff', 'invite', staff_id], env);
  const { me } = await open(service(), link?.path ?? '');
  expect(me).toMatchObject({ id: staff_id, roles: ['auditor'] });
  const session_id = me.session?.session_id ?? '';
  const { items } = await ivJson<StaffSessionList>(['sessions', 'list'], env);
  expect(items).toContainEqual(expect.objectContaining({ session_id, staff_id, name: 'Ada' }));
  const ended = await ivJson<EndedSession>(['sessions', 'end', session_id], env);
  expect(ended).toEqual({ session_id, status: 'ended' });

  const gone = await iv(['staff', 'end', staff_id], env);
  expect(gone.stdout).toMatch(/^ended +2\S+Z$/m);
  const listed = await iv(['staff', 'list'], env);
  expect(listed.stdout).toMatch(/^STAFF_ID +NAME +ROLES +ENDED +ACCOUNT_ID$/m);
  expect(listed.stdout).toMatch(new RegExp(`^${staff_id} +Ada +auditor +2`, 'm'));
  const refused = await iv(['staff', 'invite', staff_id], env);
  expect(refused).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `Not found (404): there is no person ${staff_id} who may sign in, or this API key may not see it. What there is: iv staff list\n`,
  });
});

test('an unknown role is reported before anything is asked', async () => {
  const wrong = await iv(['staff', 'add', '--name', 'Ada', '--role', 'boss'], naming(service()));
  expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
  expect(wrong.stderr).toContain('Allowed choices are viewer, requester, verifier, operator');
});
