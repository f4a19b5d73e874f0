// This file loads no Zod: the console's first page has it, and sets Zod up before it loads.

/** What may have changed: requests, the work queue, held outputs, deliveries; accounts, keys, people and sessions. */
export const HINTS = ['request', 'work', 'held', 'delivery', 'access'] as const;
/** One of {@link HINTS}. */
export type Hint = (typeof HINTS)[number];

/**
 * One event of `GET /console/events`: how many changes of each kind there were since the last one. It never says which:
 * a page reads again what it shows.
 */
export type ConsoleHints = Partial<Record<Hint, number>>;

/**
 * Why a sign-in was refused, and the sentence that the sign-in page shows for it. The service names one in the address
 * of that page (`?failed=no_role`) and in the problem `passkey_refused`. Public: none says more than the person may
 * know.
 */
export const SIGN_IN_REFUSALS = {
  expired: 'The sign-in took longer than ten minutes, or was begun in another browser. Begin again.',
  tampered: 'What came back does not belong to the sign-in that was begun here. Begin again.',
  declined: 'The sign-in was cancelled at the provider.',
  provider_refused: 'The provider refused the sign-in. An administrator finds the reason in the log.',
  provider_down: 'The provider does not answer. Try again in a moment.',
  code_used: 'This sign-in has been used already, or took too long. Begin again.',
  not_fresh: 'The provider did not ask you to sign in again, which this step needs.',
  amr_missing: 'Sign in with a second factor: the provider did not ask you for one that is required here.',
  no_role:
    'None of your groups at the provider has a role here. An administrator of the provider can add you to one.',
  ended: 'Your access here has ended. An administrator can tell you why.',
  link_not_valid: 'The invitation has been used already, or is too old. Ask for a new one.',
  identity_taken: 'You signed in as somebody who has access already; the invitation is for somebody else.',
  too_many: 'Too many tries. Wait a minute, then try again.',
  passkey_expired:
    'The sign-in with a passkey took longer than five minutes, or was begun in another browser. Begin again.',
  passkey_used: 'This answer of a passkey has been used already. Begin again.',
  passkey_unknown:
    'This passkey is not known here: it was removed, or belongs to another service. Sign in another way.',
  passkey_elsewhere:
    'The passkey was asked at another address than this one. Open the console at its own address, and begin again.',
  passkey_unverified:
    'The passkey did not check that it is you. Use one that asks for a fingerprint, a face or a PIN.',
  passkey_copied:
    'The passkey counts fewer uses than this service has seen, so there may be a copy of it. Sign in another way, and remove it in the settings.',
  passkey_not_yours: 'The passkey names somebody else than the person it was registered for.',
  passkey_invalid: 'What the passkey signed is not right. Begin again.',
  passkey_taken: 'This passkey is registered already. Make another one for this invitation.',
  too_many_passkeys: 'You have 20 passkeys, the most that a person has. An administrator can remove one.',
  passkey_needs_provider:
    'A passkey signs you in within 12 hours of a sign-in with the provider. Sign in there once more.',
} as const satisfies Record<string, string>;

/** Why a sign-in was refused: `no_role`. */
export type SignInRefusal = keyof typeof SIGN_IN_REFUSALS;
