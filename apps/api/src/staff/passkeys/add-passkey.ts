import { AddPasskey, Passkey, type ValidationError } from '@insurance-verification/schema';
import {
  addPasskey as addStoredPasskey,
  PASSKEY_COUNT_MAX,
  takeChallenge,
} from '@insurance-verification/store';
import { examplePasskey } from '../../examples/staff.ts';
import { ProblemError, ValidationFailedError } from '../../procedure/problem/problem.ts';
import { mutation } from '../../procedure/trpc.ts';
import { relyingPartyOf } from './relying-party.ts';
import { verifyNewCredential } from './verify-new-credential.ts';

/** Registers the passkey that the person's browser has made. */
export const addPasskey = () =>
  mutation({
    meta: {
      operation: 'passkeys.add',
      openapi: {
        summary: 'Register a passkey',
        description:
          'Registers the passkey that a browser made with what `passkeys.begin` answered. From then on it signs its person in; where an identity provider decides who has access, within 12 hours of each sign-in there.',
        tags: ['Access'],
      },
      changes: [],
      ofCaller: true,
      problems: ['passkeys_need_name'],
      example: {
        token: 'AQAAAAE…',
        name: examplePasskey.name,
        credential: {
          id: 'mYk3…',
          rawId: 'mYk3…',
          type: 'public-key',
          response: { clientDataJSON: 'eyJ0…', attestationObject: 'o2Nm…', transports: ['internal'] },
        },
      },
      answers: { added: { ...examplePasskey, last_used_at: null } },
    },
    input: AddPasskey,
    output: Passkey,
    handler: async ({ ctx: { app, call, caller }, input: { token, name, credential } }) => {
      const party = relyingPartyOf(app.config, call.host);
      const { session } = caller;
      if (!session) throw new ProblemError('person_required');
      if (!party) throw new ProblemError('passkeys_need_name');
      const taken = await takeChallenge(app.store, { sessionId: session.sessionId }, token);
      if (taken.kind !== 'taken') throw new ValidationFailedError([FAULTS[taken.kind]]);
      const verified = await verifyNewCredential(party, taken.challenge, credential);
      if (verified.kind !== 'verified') throw new ValidationFailedError([FAULTS[verified.kind]]);
      const added = await addStoredPasskey(app.store, { caller, name, credential: verified.credential });
      if (added.kind !== 'added') throw new ValidationFailedError([FAULTS[added.kind]]);
      return added.passkey;
    },
  });

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
