import * as z from 'zod';
import { Scope } from '../access/scope.ts';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { model } from '../model.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { operation } from './operation.ts';

const nameField = () => z.string().trim().min(1).max(100);

/** A passkey, with which its person signs in (`passkeys.list`). */
export const Passkey = model('Passkey', 'A passkey of a person.', {
  passkey_id: z.string().meta({ description: 'The id of the passkey.' }),
  name: z.string().meta({ description: 'What the person calls it.' }),
  created_at: dateTime().meta({ description: 'When it was registered.' }),
  last_used_at: dateTime()
    .nullable()
    .meta({ description: 'When the person last signed in with it; null before the first time.' }),
});
export type Passkey = z.infer<typeof Passkey>;

/** Whose passkeys to list (`passkeys.list`). */
export const FindPasskeys = model('FindPasskeys', 'Whose passkeys to list.', {
  staff_id: z.string().optional().meta({ description: 'The person, for an admin; absent: the caller.' }),
});
export type FindPasskeys = z.infer<typeof FindPasskeys>;

/** The passkeys of a person (`passkeys.list`). */
export const PasskeyList = model('PasskeyList', 'The passkeys of a person.', {
  items: list(Passkey).meta({ description: 'All of them, newest first.' }),
});
export type PasskeyList = z.infer<typeof PasskeyList>;

const text = (description: string) => z.string().meta({ description });

/**
 * What a browser makes a passkey of: WebAuthn's `PublicKeyCredentialCreationOptionsJSON`, which
 * `PublicKeyCredential.parseCreationOptionsFromJSON` reads.
 */
export const PasskeyOptions = model(
  'PasskeyOptions',
  'What a browser makes a passkey of, as WebAuthn has it.',
  {
    challenge: text('What the authenticator signs, in base64url.'),
    rp: model('PasskeyParty', 'The service.', {
      id: text('Its name, as in verify.example.com.'),
      name: text('What the browser shows.'),
    }).meta({ description: 'The service that the passkey is for.' }),
    user: model('PasskeyUser', 'The person.', {
      id: text('Their id, in base64url.'),
      name: text('Their name.'),
      displayName: text('The same.'),
    }).meta({ description: 'The person it is for.' }),
    pubKeyCredParams: list(
      model('PasskeyAlgorithm', 'An algorithm.', {
        type: text('Always public-key.'),
        alg: z.int().meta({ description: 'The number of the algorithm in COSE.' }),
      }),
    ).meta({ description: 'The algorithms that it may sign with, the preferred one first.' }),
    timeout: wholeNumber().meta({ description: 'Milliseconds that the person may take.' }),
    attestation: text('Always none: the make of the authenticator is not asked for.'),
    excludeCredentials: list(
      model('KnownCredential', 'A credential.', {
        id: text('Its id, in base64url.'),
        type: text('Always public-key.'),
        transports: list(z.string()).meta({ description: 'How its authenticator is reached.' }),
      }),
    ).meta({ description: 'What the person has already: no authenticator makes a second one.' }),
    authenticatorSelection: model('PasskeySelection', 'What the authenticator must do.', {
      residentKey: text('Always required: the authenticator finds the passkey by itself.'),
      requireResidentKey: z.boolean().meta({ description: 'The same, for older browsers.' }),
      userVerification: text('Always required: it checks who uses it.'),
    }).meta({ description: 'What the authenticator must do.' }),
  },
);
export type PasskeyOptions = z.infer<typeof PasskeyOptions>;

/** What a browser needs to make a passkey (`passkeys.begin`). */
export const BegunPasskey = model('BegunPasskey', 'What a browser needs to make a passkey.', {
  token: z.string().meta({
    description: 'Goes back with the new passkey; works once, for five minutes, in the session that asked.',
  }),
  options: PasskeyOptions.meta({ description: 'What the browser makes the passkey of.' }),
});
export type BegunPasskey = z.infer<typeof BegunPasskey>;

/** A passkey as the browser has just made it: `toJSON()` of its `PublicKeyCredential`. */
export const NewCredential = model('NewCredential', 'A passkey as the browser has just made it.', {
  id: z.string().max(1_400).meta({ description: 'The id of the credential, in base64url.' }),
  rawId: z.string().max(1_400).meta({ description: 'The same.' }),
  type: z.literal('public-key').meta({ description: 'The kind of credential.' }),
  response: model('NewCredentialResponse', "The authenticator's part.", {
    clientDataJSON: z
      .string()
      .max(4_096)
      .meta({ description: 'What the browser saw, with the challenge, in base64url.' }),
    attestationObject: z.string().max(16_384).meta({ description: 'The public key, in base64url.' }),
    transports: list(z.string().max(32)).max(10).optional().meta({
      description: 'How the authenticator is reached: internal, usb, hybrid.',
    }),
  }).meta({ description: "The authenticator's part." }),
});
export type NewCredential = z.infer<typeof NewCredential>;

/** The body that registers a passkey (`passkeys.add`). */
export const AddPasskey = model('AddPasskey', 'Registers a passkey.', {
  token: z.string().max(1_024).meta({ description: 'The token that passkeys.begin answered with.' }),
  name: nameField().meta({ description: 'What the person calls it, in 1 to 100 characters.' }),
  credential: NewCredential.meta({ description: 'What the browser made.' }),
});
export type AddPasskey = z.infer<typeof AddPasskey>;

/** Names a passkey (`passkeys.end`). */
export const PasskeyRef = model('PasskeyRef', 'Names a passkey.', {
  passkey_id: z.string().meta({ description: 'The id of the passkey.' }),
});
export type PasskeyRef = z.infer<typeof PasskeyRef>;

/** A passkey that was removed (`passkeys.end`). */
export const EndedPasskey = model('EndedPasskey', 'A passkey that was removed.', {
  ...PasskeyRef.shape,
  status: z.literal('ended').meta({ description: 'It can no longer be used to sign in.' }),
});
export type EndedPasskey = z.infer<typeof EndedPasskey>;

const examplePasskey: Passkey = {
  passkey_id: EXAMPLE_IDS.passkey,
  name: 'Laptop at the desk',
  created_at: '2026-11-20T10:06:00.000Z',
  last_used_at: '2026-11-20T13:30:00.000Z',
};

/** The operations of `passkeys`. */
export const passkeysOperations = () => ({
  // Open to every person, for themselves; for an admin of others as well, who may have lost them.
  list: operation('passkeys.list', {
    get: '/passkeys',
    scopes: Scope.options,
    audience: [],
    forPeople: true,
    tag: 'Access',
    summary: 'List the passkeys of a person',
    description:
      'Lists the passkeys of the caller, or with `admin` those of another person, newest first; a person has at most 20.',
    limit: 'reads',
    input: FindPasskeys,
    output: PasskeyList,
    example: { staff_id: EXAMPLE_IDS.staff },
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
      'Returns the options with which a browser creates a passkey for the signed-in person: discoverable, with user verification. Send the token back within five minutes (`passkeys.add`).',
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
      'Registers the passkey that a browser created with the options of `passkeys.begin`. It then signs its person in; where an identity provider decides who has access, only within 12 hours of each sign-in there.',
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
      'Removes one of the caller’s passkeys, or with `admin` one of another person, who has lost it: it can no longer be used to sign in. Sessions that it began continue until they end, or are ended.',
    ofCaller: true,
    problems: ['not_found'],
    changes: [],
    params: PasskeyRef,
    output: EndedPasskey,
    answers: { ended: { passkey_id: EXAMPLE_IDS.passkey, status: 'ended' } },
  }),
});
