import { isIP } from 'node:net';
import type { Config } from '../../config/config.ts';

/** What a passkey belongs to, as WebAuthn names it. */
export interface RelyingParty {
  /** The name of the site: `verify.example.com`, or `localhost` on one machine. */
  readonly id: string;
  /** The only address of a page that may ask for it. */
  readonly origin: string;
}

/**
 * Whom passkeys are made for here; null where the console has been opened at an address made of numbers, for which
 * browsers make none.
 * @param host the header `Host`, which the console's API has found to be ours.
 */
export function relyingPartyOf({ publicUrl }: Pick<Config, 'publicUrl'>, host: string): RelyingParty | null {
  const url = publicUrl?.protocol === 'https:' ? publicUrl : URL.parse(`http://${host}`);
  if (!url || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  return { id: url.hostname, origin: url.origin };
}
