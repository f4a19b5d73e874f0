import { Scope } from '../access/scope.ts';
import {
  AddPasskey,
  BegunPasskey,
  EndedPasskey,
  Passkey,
  PasskeyList,
  PasskeyRef,
} from '../staff/passkey.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { examplePasskey } from './examples/staff.ts';
import { operation } from './operation.ts';

/** The operations of `passkeys`. */
export const passkeysOperations = () => ({
  // Open to every person, for themselves alone.
  list: operation('passkeys.list', {
    get: '/passkeys',
    scopes: Scope.options,
    audience: [],
    forPeople: true,
    tag: 'Access',
    summary: "List one's passkeys",
    description: 'Lists the passkeys of the person who asks, newest first; there are 20 at most.',
    limit: 'reads',
    output: PasskeyList,
    answers: { own: { items: [examplePasskey] } },
  }),

  begin: operation('passkeys.begin', {
    post: '/passkeys/begin',
    scopes: Scope.options,
    audience: [],
    repeatable: true,
    asksFreshSignIn: true,
    forPeople: true,
    tag: 'Access',
    summary: 'Begin a passkey',
    description:
      'Answers what a browser needs to make a passkey for the person who is signed in: one that the authenticator finds by itself, and that checks who uses it. The token brings it back within five minutes (`passkeys.add`).',
    ofCaller: true,
    problems: ['passkeys_need_name'],
    changes: [],
    output: BegunPasskey,
    answers: {
      begun: {
        token: 'AQAAAAE…', // not in the issued form
        options: {
          challenge: 'q2Vx…',
          rp: { id: 'verify.example.com', name: 'Insurance Verification' },
          user: { id: 'c3RmXw…', name: 'Ada Jones', displayName: 'Ada Jones' },
          pubKeyCredParams: [
            { type: 'public-key', alg: -8 },
            { type: 'public-key', alg: -7 },
            { type: 'public-key', alg: -257 },
          ],
          timeout: 300_000,
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
  }),

  // The token of `passkeys.begin` works once. It is also the proof of a fresh sign-in, five minutes old at most.
  add: operation('passkeys.add', {
    post: '/passkeys',
    scopes: Scope.options,
    audience: [],
    repeatable: false,
    forPeople: true,
    tag: 'Access',
    summary: 'Register a passkey',
    description:
      'Registers the passkey that a browser made with what `passkeys.begin` answered. From then on it signs its person in; where an identity provider decides who has access, within 12 hours of each sign-in there.',
    ofCaller: true,
    problems: ['passkeys_need_name'],
    changes: [],
    input: AddPasskey,
    output: Passkey,
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
  }),

  // A second call finds nothing left.
  end: operation('passkeys.end', {
    post: '/passkeys/{passkey_id}/end',
    scopes: Scope.options,
    audience: [],
    repeatable: false,
    asksFreshSignIn: true,
    forPeople: true,
    tag: 'Access',
    summary: 'Remove a passkey',
    description:
      "Removes one of one's own passkeys: it can no longer be used to sign in. Sessions that it began continue until they end, or are ended.",
    ofCaller: true,
    problems: ['not_found'],
    changes: [],
    params: PasskeyRef,
    output: EndedPasskey,
    answers: { ended: { passkey_id: EXAMPLE_IDS.passkey, status: 'ended' } },
  }),
});
