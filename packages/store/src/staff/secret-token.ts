import { randomBytes } from 'node:crypto';

const FORM = /^[\w-]{43}$/;

/** 256 random bits in base64url: the token of a session or a one-time link. Only a keyed hash is stored. */
export function createSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a text can be such a token; others are not looked up. */
export function maybeSecretToken(text: string): boolean {
  return FORM.test(text);
}
