import { hkdfSync } from 'node:crypto';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { DataKey } from './encrypt.ts';

/**
 * Returns the number by which an account's value is looked up: equal texts of one account have equal numbers, and the
 * text of a number cannot be found without the account's data key.
 */
export type BlindIndexer = (accountId: string, text: string) => bigint;

/** Computes the number of a text, under the key of one account and column. */
export type BlindIndex = (text: string) => bigint;

/**
 * Creates the blind index of one column. Its key is derived from the account's data key. A number is the first 8
 * bytes of HMAC-SHA-256, as PostgreSQL's bigint; never 0, which means "no value". Among a billion texts the odds that
 * two share a number are 1 in 37, so a caller decrypts and compares the rows it finds.
 *
 * In JavaScript, from a state that has the key already: 1.2 µs, where Node's own takes 2.5 to set up its call.
 */
export function createBlindIndex({ secret }: DataKey, column: string): BlindIndex {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', `blind index: ${column}`, 32));
  const keyed = hmac.create(sha256, key);
  const digest = Buffer.alloc(32);
  const state = keyed.clone();
  return (text) => {
    keyed._cloneInto(state);
    state.update(Buffer.from(text)).digestInto(digest);
    return digest.readBigInt64BE(0) || 1n;
  };
}
