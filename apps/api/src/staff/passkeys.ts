import type { ValidationError } from '@insurance-verification/schema';
import {
  addPasskey,
  beginPasskey,
  endPasskey,
  listPasskeys,
  PASSKEY_COUNT_MAX,
  takeChallenge,
} from '@insurance-verification/store';
import { ProblemError, ValidationFailedError } from '../procedure/problem.ts';
import type { Handlers } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';
import { creationOptions, relyingPartyOf, verifyNewCredential } from './webauthn.ts';

/** The passkeys of people: an admin lists and ends those of others as well. */
export const passkeys: Handlers<'passkeys'> = {
  list: async ({ ctx: { app, caller }, input: { staff_id: staffId = caller.keyId } }) =>
    listPasskeys(app.store, { caller, everyones: caller.scopes.includes('admin'), staffId }),

  begin: async ({ ctx: { app, call, caller } }) => {
    const party = relyingPartyOf(app.config, call.host);
    const { session } = caller;
    if (!session) throw new ProblemError('person_required');
    if (!party) throw new ProblemError('passkeys_need_name');
    const begun = await beginPasskey(app.store, { caller, sessionId: session.sessionId });
    const person = { staffId: caller.keyId, name: session.name };
    return { token: begun.token, options: creationOptions(party, person, begun) };
  },

  add: async ({ ctx: { app, call, caller }, input: { token, name, credential } }) => {
    const party = relyingPartyOf(app.config, call.host);
    const { session } = caller;
    if (!session) throw new ProblemError('person_required');
    if (!party) throw new ProblemError('passkeys_need_name');
    const taken = await takeChallenge(app.store, { sessionId: session.sessionId }, token);
    if (taken.kind !== 'taken') throw new ValidationFailedError([FAULTS[taken.kind]]);
    const verified = await verifyNewCredential(party, taken.challenge, credential);
    if (verified.kind !== 'verified') throw new ValidationFailedError([FAULTS[verified.kind]]);
    const added = await addPasskey(app.store, { caller, name, credential: verified.credential });
    if (added.kind !== 'added') throw new ValidationFailedError([FAULTS[added.kind]]);
    return added.passkey;
  },

  end: async ({ ctx: { app, caller }, input: { passkey_id: passkeyId } }) => {
    const everyones = caller.scopes.includes('admin');
    const ended = await endPasskey(app.store, { caller, everyones, passkeyId });
    if (ended.kind === 'not_found') return refuse({ kind: 'not_found' });
    return { passkey_id: passkeyId, status: 'ended' as const };
  },
};

const fault = (loc: ValidationError['loc'], type: string, msg: string): ValidationError => ({
  loc,
  msg,
  type,
});

/** Faults that the browser's answer, or what is stored, brings to light. */
const FAULTS = {
  expired: fault(
    ['body', 'token'],
    'passkey_expired',
    'It took longer than five minutes, or was begun in another session: begin again',
  ),
  used: fault(['body', 'token'], 'passkey_used', 'This has been answered already: begin again'),
  passkey_elsewhere: fault(
    ['body', 'credential'],
    'passkey_elsewhere',
    'The passkey was made at another address than this one',
  ),
  passkey_unverified: fault(
    ['body', 'credential'],
    'passkey_unverified',
    'The passkey did not check that it is you: use one that asks for a fingerprint, a face or a PIN',
  ),
  passkey_invalid: fault(
    ['body', 'credential'],
    'passkey_invalid',
    'What the browser made is no passkey for this',
  ),
  taken: fault(['body', 'credential'], 'passkey_taken', 'This passkey is registered already'),
  too_many: fault(
    ['body'],
    'too_many_passkeys',
    `You have ${PASSKEY_COUNT_MAX} passkeys, the most that a person has: remove one first`,
  ),
} satisfies Record<string, ValidationError>;
