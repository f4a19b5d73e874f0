import { typeidUnboxed } from 'typeid-js';

/**
 * What an issued id names, by its prefix. Ids are TypeIDs: the prefix and a UUIDv7 in base32, so they sort by the
 * time of issue and hold no dot (a `webhook-id` must not).
 */
export type IdPrefix = 'acct' | 'key' | 'req' | 'msg' | 'held';

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** A new id, greater than every id this process issued before it. */
export function issueId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix);
}

/** Whether `text` has the form of an id that {@link issueId} makes; says nothing about its existence. */
export function isIssuedId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(prefix.length + 1));
}
