import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { findRow, someRow } from '../row-macs/covered-rows.ts';
import type { Caller } from './caller.ts';

type Inside = Pick<Store, 'db' | 'vault'>;

/** How long what was asked for can be confirmed. */
export const CONFIRMABLE_DAYS = 7;

/**
 * Who asked for a deed of two, in the columns of its row. Links, people and keys keep in `made_by` the key or person that
 * made them first, and then everybody who may have acted in it: whose link began that session, who made that key.
 */
export interface Asker {
  /** The key or person. */
  readonly asked_by: string;
  /** Who may have asked through it: those whose link began the person's session, or who made the key. */
  readonly asked_in: string[] | null;
  /** By whose link the person got the passkey or identity that they signed in with. */
  readonly enrolled_by: string[] | null;
}

/** Why somebody is not the second person of a deed of two. */
export type NotSecond =
  /** They asked, or a key of theirs did. */
  | 'asked_it'
  /** The person who asked signed in with a link of theirs. */
  | 'link_of_confirmer'
  /** The person who asked made the link, passkey or identity that signed them in. */
  | 'link_of_asker'
  /** The person who asked added them, or added the people who did. */
  | 'made_by_asker';

/** Who acts in a call, as the row of what it asks for keeps it. */
export async function askerOf(inside: Inside, caller: Caller): Promise<Asker> {
  const { keyId, linkBy = [], enrolledBy = [] } = caller;
  const through = isIssuedId('key', keyId) ? await makersOfKey(inside, keyId) : linkBy;
  return { asked_by: keyId, asked_in: orNull(through), enrolled_by: orNull(enrolledBy) };
}

/** Everybody who may act in a call, the caller first: what a link, a person and a key keep in `made_by`. */
export async function actorsOf(inside: Inside, caller: Caller): Promise<string[]> {
  const { asked_by: id, asked_in: through, enrolled_by: enrolled } = await askerOf(inside, caller);
  return [...new Set([id, ...(through ?? []), ...(enrolled ?? [])])];
}

/** Without the person themselves; null without another. */
export const othersThan = (staffId: string, ids: readonly string[] | null): string[] | null =>
  orNull((ids ?? []).filter((id) => id !== staffId));

const orNull = (ids: readonly string[]): string[] | null => (ids.length === 0 ? null : [...ids]);

/**
 * Why a person may not confirm what was asked for; null for a second person. A row that was altered or removed counts
 * against them.
 */
export async function whyNotSecond(
  inside: Inside,
  asker: Asker,
  { keyId: own, linkBy = [], enrolledBy = [] }: Caller,
): Promise<NotSecond | null> {
  const { asked_by: by, asked_in: through, enrolled_by: enrolled } = asker;
  const isOfKey = isIssuedId('key', by);
  if (by === own || (isOfKey && through?.includes(own))) return 'asked_it';
  if (through?.includes(own) || enrolled?.includes(own)) return 'link_of_confirmer';
  const askers = new Set<string>();
  for (const id of [by, ...(through ?? [])]) if (!(await isNobodys(inside, id))) askers.add(id);
  const links = [...linkBy, ...enrolledBy];
  if (links.some((id) => askers.has(id))) return 'link_of_asker';
  return (await isMadeBy(inside, [own, ...links], askers)) ? 'made_by_asker' : null;
}

/** Whether no other person is active on the installation: then one is enough. */
export async function isOnlyPerson(inside: Inside, { keyId }: Caller): Promise<boolean> {
  return !(await someRow(inside, 'staff', ({ id, ended_at }) => id !== keyId && ended_at === null));
}

/** Whether one of some people was added by one of some others, or by people whom these added, and so on. */
async function isMadeBy(
  inside: Inside,
  people: readonly string[],
  makers: ReadonlySet<string>,
): Promise<boolean> {
  const asked = new Set(people);
  for (const id of asked) {
    if (!isIssuedId('stf', id)) continue;
    const person = await findRow(inside, 'staff', { is: { id } });
    if (!person) return true;
    for (const maker of person.made_by ?? []) {
      if (makers.has(maker)) return true;
      asked.add(maker); // which the loop comes to
    }
  }
  return false;
}

/** Whether it is a key that the first start made: it is on the machine, and is no person's. */
async function isNobodys(inside: Inside, id: string): Promise<boolean> {
  if (!isIssuedId('key', id)) return false;
  return (await findRow(inside, 'api_key', { is: { id } }))?.bootstrap === true;
}

async function makersOfKey(inside: Inside, id: string): Promise<string[]> {
  const key = await findRow(inside, 'api_key', { is: { id } });
  return key?.made_by ?? [];
}
