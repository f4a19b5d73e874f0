import { BegunPasskey } from '@insurance-verification/schema';
import { beginPasskey as beginStoredPasskey, CHALLENGE_MINUTES } from '@insurance-verification/store';
import { ProblemError } from '../../procedure/problem/problem.ts';
import { mutation } from '../../procedure/trpc.ts';
import { relyingPartyOf } from './relying-party.ts';
import { ALGORITHMS } from './verify-new-credential.ts';

/** What the person's browser needs to make a passkey. Nothing is stored before it comes back. */
export const beginPasskey = () =>
  mutation({
    meta: {
      operation: 'passkeys.begin',
      openapi: {
        summary: 'Begin a passkey',
        description:
          'Answers what a browser needs to make a passkey for the person who is signed in: one that the authenticator finds by itself, and that checks who uses it. The token brings it back within five minutes (`passkeys.add`).',
        tags: ['Access'],
      },
      changes: [],
      ofCaller: true,
      problems: ['passkeys_need_name'],
      answers: {
        begun: {
          token: 'AQAAAAE…', // not in the issued form
          options: {
            challenge: 'q2Vx…',
            rp: { id: 'verify.example.com', name: 'Insurance Verification' },
            user: { id: 'c3RmXw…', name: 'Ada Jones', displayName: 'Ada Jones' },
            pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
            timeout: CHALLENGE_MINUTES * 60_000,
            attestation: 'none',
            excludeCredentials: [],
            authenticatorSelection: {
              residentKey: 'required',
              requireResidentKey: true,
              userVerification: 'required',
            },
          },
        },
      },
    },
    output: BegunPasskey,
    handler: async ({ ctx: { app, call, caller } }) => {
      const party = relyingPartyOf(app.config, call.host);
      const { session } = caller;
      if (!session) throw new ProblemError('person_required');
      if (!party) throw new ProblemError('passkeys_need_name');
      const begun = await beginStoredPasskey(app.store, { caller, sessionId: session.sessionId });
      return {
        token: begun.token,
        options: {
          challenge: begun.challenge.toString('base64url'),
          rp: { id: party.id, name: 'Insurance Verification' },
          user: {
            id: Buffer.from(caller.keyId).toString('base64url'),
            name: session.name,
            displayName: session.name,
          },
          pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
          timeout: CHALLENGE_MINUTES * 60_000,
          attestation: 'none',
          excludeCredentials: begun.known.map(({ id, transports }) => ({
            id,
            type: 'public-key',
            transports: [...transports],
          })),
          authenticatorSelection: {
            residentKey: 'required',
            requireResidentKey: true,
            userVerification: 'required',
          },
        },
      };
    },
  });
