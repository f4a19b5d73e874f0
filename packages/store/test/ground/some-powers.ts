import {
  askErasure,
  breakGlass,
  type Caller,
  createApiKey,
  createSignInLink,
  findSession,
  placeHold,
  setAccountRetention,
  signInByProvider,
  type Store,
} from '../../src/index.ts';
import { aPlatformCaller, anAccount, intake } from './stages.ts';

/** One row of each kind that has a MAC, made as the service makes them. */
export interface Powers {
  readonly account: Caller;
  readonly keyId: string;
  readonly key: string;
  readonly staffId: string;
  readonly sessionId: string;
  readonly token: string;
  /** Of a request of the account that nothing is asked of. */
  readonly requestId: string;
  readonly erasureId: string;
  /** On a request of the account. */
  readonly holdId: string;
}
/** Of the browser that they are signed in at. */
export const ORIGIN_SECRET = Buffer.alloc(32, 7).toString('base64url');

/** Makes them; a person who has signed in under `subject` before stays the same one. */
export async function somePowers(store: Store, subject: string): Promise<Powers> {
  const account = await anAccount(store, { kind: 'platform' });
  const { accountId } = account;
  const scopes = ['requests' as const];
  const made = await createApiKey(store, {
    caller: aPlatformCaller(),
    accountId,
    scopes,
    name: null,
    expiresAt: undefined,
  });
  const identity = {
    issuer: 'https://login.example',
    subject,
    name: 'Ada',
    sid: 'sid',
    provenAt: new Date(),
  };
  const signedIn = await signInByProvider(store, {
    identity: { ...identity, roles: ['operator'] },
    invitation: undefined,
    originSecret: ORIGIN_SECRET,
    device: null,
    address: null,
  });
  if (made.kind !== 'created' || signedIn.kind !== 'signed_in') throw new Error('It was not made.');
  const found = await findSession(store, {
    token: signedIn.token,
    originSecret: ORIGIN_SECRET,
    accountId,
    isUse: false,
  });
  if (found.kind !== 'found') throw new Error('It is not there.');
  const { keyId: staffId, session } = found.person;
  await createSignInLink(store, { caller: aPlatformCaller(), staffId, way: 'link' });
  await breakGlass(store, {
    caller: aPlatformCaller(),
    sessionId: session.sessionId,
    reason: 'a test',
    isFresh: true,
  });
  const caller = aPlatformCaller();
  const [left, erased, held] = [
    await intake(store, account),
    await intake(store, account),
    await intake(store, account),
  ];
  const asking = { caller, requestId: erased.request_id, reason: 'wrong_patient' } as const;
  const asked = await askErasure(store, asking);
  const placed = await placeHold(store, { caller, covers: { requestId: held.request_id }, reason: 'a test' });
  await setAccountRetention(store, { caller, accountId, days: 30 });
  if (asked.kind !== 'asked' || placed.kind !== 'placed') throw new Error('It was not made.');
  return {
    account,
    keyId: made.key.key_id,
    key: made.key.key,
    staffId,
    sessionId: session.sessionId,
    token: signedIn.token,
    requestId: left.request_id,
    erasureId: asked.erasure.erasure_id,
    holdId: placed.hold.hold_id,
  };
}
