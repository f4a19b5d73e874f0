import type { SignInLink } from '@insurance-verification/schema';
import type { Cell } from '../terminal/table.ts';

/** A one-time link as a person opens it; `-` when the service has no console. */
export function linkFields(url: string, link: SignInLink | null): [string, Cell][] {
  return [
    ['link', link && addressOf(url, link)],
    ['expires', link?.expires_at],
  ];
}

/** Replaces a loopback address by localhost, the name that people use for this machine. */
function addressOf(url: string, { path }: SignInLink): string {
  return new URL(path, url.replace(/^http:\/\/(127\.0\.0\.1|\[::1\])(?=[:/]|$)/, 'http://localhost')).href;
}

export const SHOWN_ONCE = 'The link works once, until it expires, and is shown this once.';

export const NO_CONSOLE =
  'The service has no console to sign in to: it has one with OIDC_ISSUER, and on loopback outside production.';
