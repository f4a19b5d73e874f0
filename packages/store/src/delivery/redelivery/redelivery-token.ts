import { timingSafeEqual } from 'node:crypto';
import type { Vault } from '../../encryption/vault.ts';

/** The messages that a dry run counted. The set only shrinks: what is sent again is done later than `doneBefore`. */
export interface CountedMessages {
  /** Only messages that were done before, as Postgres writes it. */
  readonly doneBefore: string;
  /** Only messages up to this id, the last one counted. */
  readonly lastId: string;
  readonly count: number;
}

/** Signs what a dry run counted, for one caller's reach and filters. */
export function signCounted(vault: Vault, counted: CountedMessages, filters: string): string {
  const { doneBefore, lastId, count } = counted;
  const text = JSON.stringify([doneBefore, lastId, count]);
  return `${Buffer.from(text).toString('base64url')}.${sign(vault, text, filters).toString('base64url')}`;
}

/** What a token counted; null unless it was signed here for the same filters. */
export function readCounted(vault: Vault, token: string, filters: string): CountedMessages | null {
  const [encoded = '', signature = ''] = token.split('.');
  const text = Buffer.from(encoded, 'base64url').toString('utf8');
  const given = Buffer.from(signature, 'base64url');
  const right = sign(vault, text, filters);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  const [doneBefore, lastId, count] = JSON.parse(text) as [string, string, number];
  return { doneBefore, lastId, count };
}

const sign = (vault: Vault, text: string, filters: string): Buffer =>
  vault.index('delivery.counted', `${text}\0${filters}`);
