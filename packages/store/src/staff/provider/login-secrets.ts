import { openOrNull } from '../../encryption/seal.ts';
import type { Store } from '../../open-store.ts';

/** Where what is sealed belongs: a browser's cookie, and no row of ours. */
const PLACE = 'cookie:login';

/** Minutes for which a sign-in with the provider may last. */
export const LOGIN_MINUTES = 10;

/** The state of a sign-in with the provider, which the browser keeps in the sealed login cookie. */
export interface LoginSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The secret of the pages that began the sign-in, which the session is bound to. */
  readonly originSecret: string;
  /** The path of the console to redirect to after the sign-in. */
  readonly to: string;
  /** Whether the provider must authenticate the person again (`prompt=login`, `max_age`). */
  readonly fresh: boolean;
  /** The token of a one-time link that invited the person. */
  readonly invitation?: string | undefined;
}

/**
 * Seals the state for the cookie, with its expiry.
 * @returns the value of the cookie, in base64url.
 */
export async function sealLogin(
  { vault }: Store,
  secrets: LoginSecrets,
): Promise<{ readonly cookie: string }> {
  const text = JSON.stringify({ ...secrets, until: Date.now() + LOGIN_MINUTES * 60_000 });
  return { cookie: (await vault.seal('system', PLACE, text)).toString('base64url') };
}

export type OpenedLogin =
  | { readonly kind: 'found'; readonly secrets: LoginSecrets }
  /** Not sealed by this service, or more than ten minutes ago. */
  | { readonly kind: 'none' };

/** Opens the value of a login cookie. */
export async function openLogin({ vault }: Store, cookie: string): Promise<OpenedLogin> {
  const sealed = Buffer.from(cookie, 'base64url');
  const opened = await openOrNull(vault.openJson<LoginSecrets & { until: number }>('system', PLACE, sealed));
  if (!opened) return { kind: 'none' };
  const { until, ...secrets } = opened;
  return until > Date.now() ? { kind: 'found', secrets } : { kind: 'none' };
}
