import { type Problem, SIGN_IN_REFUSALS } from '@insurance-verification/schema';
import { useQuery } from '@tanstack/react-query';
import { forgetAccount } from '../../api/acts-for.ts';
import { post } from '../post.ts';

const OFFLINE = 'The service does not answer. Try again in a moment.';

/** The one-time token in a pasted text, which is a whole link or only the token. */
export function tokenOf(text: string): string {
  const trimmed = text.trim();
  return trimmed.slice(trimmed.indexOf('#') + 1);
}

/** Whom a one-time link is for. */
export interface Link {
  readonly name: string;
  /** Null for a person of the platform. */
  readonly account_name: string | null;
  /** The name of another person who is signed in here, whose session this link's would end; null without one. */
  readonly replaces: string | null;
}

/** Reads whose link it is, without using it up. @returns a text that says why it cannot be read. */
export async function lookAtLink(token: string): Promise<Link | string> {
  if (token === '') return 'Paste the link, or the part after the # in it.';
  return ask<Link>('/console/api/sign-in/link', { token });
}

/**
 * Signs in with a one-time token; the browser stores the session in a cookie that no script can read.
 * @returns null once signed in; else a sentence that says why it failed.
 */
export async function signIn(token: string): Promise<string | null> {
  const answer = await ask('/console/api/sign-in', { token });
  return typeof answer === 'string' ? answer : null;
}

interface ProviderSignIn {
  /** Whether the provider must ask the person again, whatever it remembers. */
  readonly fresh?: boolean;
  /** The token of the invitation that the person takes up. */
  readonly invitation?: string;
}

/**
 * Begins a sign-in with the provider, which leads back to a page below `/console`.
 * @returns the address to go to, or a text that says why there is no address.
 */
async function beginWithProvider(page: string, options: ProviderSignIn = {}): Promise<URL | string> {
  const answer = await ask<{ continue_at: string }>('/console/api/sign-in/provider', {
    to: `/console${page}`,
    ...options,
  });
  return typeof answer === 'string' ? answer : new URL(answer.continue_at, location.href);
}

/** What a call answers, or a text that says why it did not. */
async function ask<Answered>(path: string, body: object): Promise<Answered | string> {
  try {
    const answer = await post(path, body);
    if (answer.status === 401) return 'This link has been used already, or is too old. Get a new one.';
    return answer.ok ? ((await answer.json()) as Answered) : await wordsOf(answer);
  } catch {
    return OFFLINE;
  }
}

/**
 * Takes up an invitation: makes a passkey in this browser (WebAuthn), registers it and signs in.
 * @returns null once signed in; else a sentence that says why it failed. The invitation may be tried again.
 */
export async function signInByInvitation(token: string): Promise<string | null> {
  if (!hasPasskeys()) return TOO_OLD;
  try {
    const begun = await post('/console/api/sign-in/link/passkey', { token });
    if (!begun.ok) return await wordsOf(begun);
    const asked = (await begun.json()) as PublicKeyCredentialCreationOptionsJSON;
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked);
    const credential = await navigator.credentials.create({ publicKey });
    const answer = await post('/console/api/sign-in', { token, credential });
    return answer.ok ? null : await wordsOf(answer);
  } catch (err) {
    return wordsOfBrowser(err);
  }
}

/** Why a sign-in with a passkey failed. */
interface PasskeyRefusal {
  readonly sentence: string;
  /** Whether the person must first sign in with the provider again (`passkey_needs_provider`). */
  readonly needsProvider: boolean;
}

/**
 * Signs in with a passkey: asks for a challenge, has it signed, and hands in the assertion.
 * @returns null once signed in; else why it failed.
 */
export async function signInWithPasskey(): Promise<PasskeyRefusal | null> {
  const refused = (sentence: string) => ({ sentence, needsProvider: false });
  if (!hasPasskeys()) return refused(TOO_OLD);
  try {
    const begun = await post('/console/api/sign-in/passkey/begin', {});
    if (!begun.ok) return refused(await wordsOf(begun));
    const asked = (await begun.json()) as PublicKeyCredentialRequestOptionsJSON;
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked);
    const signed = await navigator.credentials.get({ publicKey });
    const answer = await post('/console/api/sign-in/passkey', signed);
    if (answer.ok) return null;
    const sentence = await wordsOf(answer);
    if (sentence === SIGN_IN_REFUSALS.passkey_unknown && signed) await forget(asked.rpId, signed.id);
    return { sentence, needsProvider: sentence === SIGN_IN_REFUSALS.passkey_needs_provider };
  } catch (err) {
    return refused(wordsOfBrowser(err));
  }
}

/** Lets the browser offer no more a passkey that the service does not know; older browsers keep it. */
async function forget(rpId: string | undefined, credentialId: string): Promise<void> {
  if (rpId !== undefined && 'signalUnknownCredential' in PublicKeyCredential)
    await PublicKeyCredential.signalUnknownCredential({ rpId, credentialId });
}

/** Why the service refused, as its problem says. */
async function wordsOf(answer: Response): Promise<string> {
  if (answer.status === 429) return SIGN_IN_REFUSALS.too_many;
  if (answer.status >= 500) return OFFLINE;
  const { detail } = (await answer.json()) as Partial<Problem>;
  return typeof detail === 'string' ? detail : REFUSED;
}

/** The sentence for a reason that this page does not know, of a later version of the service. */
const REFUSED = 'The sign-in was refused. Begin again; an administrator finds the reason in the log.';

/** The sentence for the reason in `?failed=`, with which the callback redirects; null without one. */
export function failureIn(search: string): string | null {
  const named = new URLSearchParams(search).get('failed');
  if (named === null) return null;
  const words: Readonly<Record<string, string>> = SIGN_IN_REFUSALS;
  return (Object.hasOwn(words, named) ? words[named] : undefined) ?? REFUSED;
}

/** The answer of `GET /console/api/sign-in`: the ways to sign in. */
export interface Ways {
  /** How people sign in: by links, passkeys, or an identity provider. A passkey is possible in each case. */
  readonly way: 'link' | 'passkey' | 'provider';
  /** The identity provider's host; null without one. */
  readonly provider: string | null;
  /** Whether passkeys work here: browsers allow none at an IP address. */
  readonly passkeys: boolean;
}

/** Reads the ways to sign in. Not an operation of the contract: the person is not signed in yet. */
export const useWays = () =>
  useQuery({
    queryKey: ['sign-in'],
    queryFn: async ({ signal }): Promise<Ways> => {
      const answer = await fetch('/console/api/sign-in', { signal });
      if (!answer.ok) throw new Error(`The ways to sign in answered ${answer.status}.`);
      return (await answer.json()) as Ways;
    },
    networkMode: 'always', // it is who has no session that asks
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The page below `/console` in `?to=`; `/` without one, or for any other address. */
export function pageAfter(search: string): string {
  const to = new URLSearchParams(search).get('to') ?? '';
  return /^\/console\/(?![/\\])/.test(to) ? to.slice('/console'.length) : '/';
}

/**
 * Leaves the page for the provider, which leads back to `page`, below `/console`.
 * @returns a sentence, where the sign-in cannot begin; otherwise never.
 */
export async function goToProvider(page: string, options?: ProviderSignIn): Promise<string> {
  const begun = await beginWithProvider(page, options);
  if (typeof begun === 'string') return begun;
  forgetAccount(); // another person may come back
  location.assign(begun);
  return new Promise<never>(() => undefined);
}

/**
 * Opens the provider in a popup, so that the page stays. The last page of the popup notifies all tabs, and closes it.
 * @returns null once the popup leads to the provider; else a sentence that says why it does not.
 */
export async function openProvider(options?: ProviderSignIn): Promise<string | null> {
  const popup = open('', '_blank', 'popup,width=520,height=720'); // at the click, or the browser forbids it
  const begun = await beginWithProvider('/signed-in', options);
  if (typeof begun === 'string') {
    popup?.close();
    return begun;
  }
  if (popup) popup.location.assign(begun);
  return popup ? null : 'The browser opens no window for the sign-in. Allow it for this page.';
}

/** Whether this browser has WebAuthn with JSON (`parseRequestOptionsFromJSON`), as all have since 2025. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

export const TOO_OLD = 'This browser is too old for passkeys.';

/** A sentence for an exception of the browser, by its name (Web Authentication, section 5.1). */
export function wordsOfBrowser(err: unknown): string {
  switch (err instanceof DOMException ? err.name : '') {
    case 'NotAllowedError':
      return 'No passkey was used: the question was left, took too long, or this browser has none for this service.';
    case 'InvalidStateError':
      return 'This device has a passkey of yours already.';
    case 'SecurityError':
      return 'The browser allows no passkeys at this address.';
    case 'NotSupportedError':
    case 'ConstraintError':
      return 'This device makes none that checks who uses it, which this service needs.';
    default:
      return 'The service does not answer. Try again in a moment.';
  }
}
