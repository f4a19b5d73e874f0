import { openOrNull } from '../../encryption/open-or-null.ts';
import type { Store } from '../../open-store.ts';

/** Where what is sealed belongs: a browser's cookie, and no row of ours. */
const PLACE = 'cookie:login';

/** Minutes that a person may take at the provider. */
export const LOGIN_MINUTES = 10;

/** What a browser keeps while its person is at the provider. */
export interface LoginSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The secret of the pages that began the sign-in, which the session is bound to. */
  readonly originSecret: string;
  /** Where the sign-in leads. */
  readonly to: string;
  /** Whether the person must have proven who they are just now. */
  readonly fresh: boolean;
  /** The token of a one-time link that invited the person. */
  readonly invitation?: string | undefined;
}

/** Seals the secrets for a cookie, with the time until which they count. */
export async function sealLogin(
  { vault }: Store,
  secrets: LoginSecrets,
): Promise<{ readonly cookie: string }> {
  const text = JSON.stringify({ ...secrets, until: Date.now() + LOGIN_MINUTES * 60_000 });
  return { cookie: (await vault.seal('system', PLACE, text)).toString('base64url') };
}

export type OpenedLogin =
  | { readonly kind: 'found'; readonly secrets: LoginSecrets }
  /** We did not seal it, or sealed it more than ten minutes ago. */
  | { readonly kind: 'none' };

/** The secrets of a cookie. */
export async function openLogin({ vault }: Store, cookie: string): Promise<OpenedLogin> {
  const sealed = Buffer.from(cookie, 'base64url');
  const opened = await openOrNull(vault.openJson<LoginSecrets & { until: number }>(PLACE, sealed));
  if (!opened) return { kind: 'none' };
  const { until, ...secrets } = opened;
  return until > Date.now() ? { kind: 'found', secrets } : { kind: 'none' };
}
