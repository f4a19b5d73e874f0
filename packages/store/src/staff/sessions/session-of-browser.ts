import type { Vault } from '../../encryption/vault.ts';
import type { CoveredValues } from '../../row-macs/covered-columns.ts';
import { maybeSecretToken } from '../sign-in/secret-token.ts';

/** The two secrets that a browser sends for its session. */
export interface BrowserProof {
  /** The cookie's token. A browser sends it to every port of the host, so another service there can read it. */
  readonly token: string;
  /** 256 bits in base64url that the pages of one origin (scheme, host and port) keep in their storage and send along. */
  readonly originSecret: string;
}

/** The keyed hash that a session keeps of its origin's secret. */
export const hashOfOrigin = (vault: Vault, originSecret: string): Buffer =>
  vault.index('staff_session.origin_hash', originSecret);

/** What the session of a cookie and origin secret has; null where either has no valid form. */
export function sessionOf(
  vault: Vault,
  { token, originSecret }: BrowserProof,
): Pick<CoveredValues<'staff_session'>, 'hash' | 'origin_hash'> | null {
  if (!maybeSecretToken(token) || !maybeSecretToken(originSecret)) return null;
  return {
    hash: vault.index('staff_session.hash', token),
    origin_hash: hashOfOrigin(vault, originSecret),
  };
}
