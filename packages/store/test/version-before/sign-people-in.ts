import {
  addStaff,
  type Caller,
  createSignInLink,
  endSession,
  listSessions,
  listStaff,
  setStaffRoles,
  signIn,
  signInByProvider,
  signOutByProvider,
  type Store,
} from '../../src/index.ts';

/** Somebody signs in twice, by a link and by another, and somebody else by a provider; one session is left. */
export async function signPeopleIn(store: Store, operator: Caller): Promise<string> {
  const added = await addStaff(store, {
    caller: operator,
    name: 'Ann',
    roles: ['operator'],
    accountId: null,
  });
  if (added.kind !== 'added') throw new Error('Nobody was added.');
  const staffId = added.member.staff_id;
  const tokens: string[] = [];
  for (const device of ['Firefox on Linux', null]) {
    const link = await createSignInLink(store, { caller: operator, staffId, purpose: 'signsIn' });
    const signedIn = link.kind === 'created' && (await signIn(store, { token: link.token, device }));
    if (!signedIn || signedIn.kind !== 'signed_in') throw new Error('The link did not sign in.');
    tokens.push(signedIn.token);
  }
  const { items } = await listSessions(store, { caller: operator, everyones: true, limit: 10 });
  const sessionId = items[0]?.session_id ?? '';
  await endSession(store, { caller: operator, everyones: true, sessionId });
  const identity = { issuer: 'https://id.example', subject: staffId, name: 'Bob', sid: staffId };
  const proven = { ...identity, roles: ['verifier' as const], provenAt: new Date() };
  await signInByProvider(store, { identity: proven, invitation: undefined, device: null });
  const logout = { issuer: identity.issuer, sid: staffId, subject: undefined, jti: staffId };
  await signOutByProvider(store, { ...logout, expiresAt: new Date(Date.now() + 3_600_000) });
  await setStaffRoles(store, { caller: operator, staffId, roles: ['operator', 'verifier'] });
  await listStaff(store, { caller: operator, limit: 10 });
  return tokens[0] ?? '';
}
