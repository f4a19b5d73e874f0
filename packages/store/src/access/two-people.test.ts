import { expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aPrivacyPerson } from '../../test/ground/some-people.ts';
import { ORIGIN_SECRET } from '../../test/ground/some-powers.ts';
import { anAccount } from '../../test/ground/stages.ts';
import {
  addPasskey,
  type Caller,
  createSignInLink,
  findSession,
  listPasskeys,
  signIn,
  signInByInvitation,
  signInByPasskey,
  type SignInWay,
  signInByProvider,
} from '../index.ts';
import { askerOf, whyNotSecond } from './two-people.ts';

const { store, alter } = await openTestStores();
const { accountId } = await anAccount(store);
const BROWSER = { originSecret: ORIGIN_SECRET, device: null, address: null };

async function linkOf(maker: Caller | null, { keyId: staffId }: Caller, way: SignInWay) {
  const made = await createSignInLink(store, { caller: maker, staffId, way });
  if (made.kind !== 'created') throw new Error('It was not made.');
  return made.token;
}

/** The person of a session, as its calls are made. */
async function inSession(entered: { readonly kind: string; readonly token?: string }): Promise<Caller> {
  const token = entered.token ?? '';
  const found = await findSession(store, {
    token,
    originSecret: ORIGIN_SECRET,
    accountId,
    isUse: false,
  });
  if (found.kind !== 'found') throw new Error(`${entered.kind}: there is no session.`);
  return { ...found.person, acrossAccounts: true };
}

const byLink = async (maker: Caller | null, person: Caller) =>
  inSession(await signIn(store, { token: await linkOf(maker, person, 'link'), ...BROWSER }));

let subjects = 0;
/** Signs in with the provider twice: by an invitation, and then without. */
async function byInvitation(maker: Caller | null, person: Caller): Promise<Caller> {
  subjects += 1;
  const identity = {
    issuer: 'https://login.example',
    subject: `person ${subjects}`,
    name: 'Ada',
    sid: null,
    provenAt: null,
    roles: ['privacy' as const],
  };
  const invitation = await linkOf(maker, person, 'provider');
  await signInByProvider(store, { identity, invitation, ...BROWSER });
  return inSession(await signInByProvider(store, { identity, invitation: undefined, ...BROWSER }));
}

/** A passkey as a browser has just made it. */
function aMadePasskey() {
  subjects += 1;
  const publicKey = new Uint8Array(1);
  const credential = { id: `credential ${subjects}`, publicKey, transports: [], signCount: 0 };
  return { name: 'phone', credential };
}

const withPasskey = async (passkeyId: string) =>
  inSession(await signInByPasskey(store, { passkeyId, signCount: 0, needsProvider: false, ...BROWSER }));

/** Signs in with a passkey that was made in a session. */
async function byPasskey(session: Caller): Promise<Caller> {
  const added = await addPasskey(store, { caller: session, ...aMadePasskey() });
  if (added.kind !== 'added') throw new Error('It was not added.');
  return withPasskey(added.passkey.passkey_id);
}

/** Takes up an invitation to make a passkey. */
const byPasskeyInvitation = async (maker: Caller | null, person: Caller) =>
  inSession(
    await signInByInvitation(store, {
      token: await linkOf(maker, person, 'passkey'),
      passkey: aMadePasskey(),
      ...BROWSER,
    }),
  );

/** Signs in with the passkey that an invitation made. */
async function byInvitedPasskey(maker: Caller | null, person: Caller): Promise<Caller> {
  const invited = await byPasskeyInvitation(maker, person);
  const { items } = await listPasskeys(store, { caller: invited, everyones: false, staffId: invited.keyId });
  return withPasskey(items[0]?.passkey_id ?? '');
}

const why = async (asker: Caller, confirmer: Caller) =>
  whyNotSecond(store, await askerOf(store, asker), confirmer);

// Broke in the making: with a link for somebody one makes a passkey or an identity of one's own, and needs no link then.
test.each([
  ['a passkey', async (maker: Caller | null, person: Caller) => byPasskey(await byLink(maker, person))],
  ['an invitation to a passkey', byPasskeyInvitation],
  ['a passkey of an invitation', byInvitedPasskey],
  ['an identity', byInvitation],
  [
    'a passkey, made in a session with another',
    async (maker: Caller | null, person: Caller) => byPasskey(await byPasskey(await byLink(maker, person))),
  ],
  [
    'a passkey, made in a session with an identity',
    async (maker: Caller | null, person: Caller) => byPasskey(await byInvitation(maker, person)),
  ],
])('%s that a link gave is the maker’s of the link as well', async (_, enter) => {
  const [ada, ben, cleo] = [
    await aPrivacyPerson(store),
    await aPrivacyPerson(store),
    await aPrivacyPerson(store),
  ];
  const lent = await enter(ada, ben);
  expect(await why(ada, lent)).toBe('link_of_asker');
  expect(await why(lent, ada)).toBe('link_of_confirmer');
  expect(await why(cleo, lent)).toBeNull();
  // One's own, and what the service's link gave, are nobody else's.
  for (const own of [await enter(ben, ben), await enter(null, ben)]) {
    expect(own).not.toHaveProperty('linkBy');
    expect(own).not.toHaveProperty('enrolledBy');
    expect([await why(ada, own), await why(own, ada)]).toEqual([null, null]);
  }
  // Two whom one person invited are two, once each has a passkey or an identity: an office has one administrator.
  expect(await why(lent, await enter(ada, cleo))).toBeNull();
});

// Broke: whoever could write to the database took the row between a person and who asked out of the way.
test('a person in the chain whose row was altered counts against the second person', async () => {
  const ada = await aPrivacyPerson(store);
  const ben = await aPrivacyPerson(store);
  const cleo = await aPrivacyPerson(store);
  const made = async (person: Caller, maker: Caller) =>
    alter(`update staff set made_by = array['${maker.keyId}'] where id = '${person.keyId}'`);
  await made(ben, ada);
  await made(cleo, ben);
  expect(await why(ada, cleo)).toBe('made_by_asker');
  const dora = await aPrivacyPerson(store);
  expect(await why(dora, cleo)).toBeNull();
  // Around in a circle it comes to an end.
  await made(ada, cleo);
  expect(await why(dora, cleo)).toBeNull();
  await store.db.updateTable('staff').set({ made_by: null }).where('id', '=', ben.keyId).execute();
  expect(await why(ada, cleo)).toBe('made_by_asker');
});
