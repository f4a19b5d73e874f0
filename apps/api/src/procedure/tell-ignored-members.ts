import type * as z from 'zod';
import type { Call } from './context/call/call.ts';
import { IGNORED_COUNT_MAX, ignoredMembers } from './ignored-members.ts';
import { outlineOf } from './outline.ts';

/** Maximum characters of all paths together. */
const LENGTH_MAX = 1_000;

/**
 * Names an input's unknown members in a header, before the input is validated: a misspelled field is often a missing
 * one too. The calls of a batch share the header.
 *
 * The header stays below 1,100 characters: proxies allow 4 to 8 KB for all headers of an answer, and twenty long
 * non-ASCII names would make them answer 502 for a request that was stored.
 */
export function tellIgnoredMembers(call: Call, schema: z.ZodObject | undefined, given: unknown): void {
  if (!schema) return;
  const paths = ignoredMembers(given, outlineOf(schema));
  if (paths.length === 0) return;
  call.ignoredMembers ??= new Set();
  for (const path of paths) call.ignoredMembers.add(path);
  const all = [...call.ignoredMembers];
  let length = 0;
  const told = all.slice(0, IGNORED_COUNT_MAX).filter((path) => (length += path.length + 2) <= LENGTH_MAX);
  const more = told.length < all.length ? ['...'] : [];
  call.setHeader('Ignored-Members', [...told, ...more].join(', '));
}
