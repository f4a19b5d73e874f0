import type { Call } from './context/call.ts';
import { IGNORED_COUNT_MAX, ignoredMembers } from './ignored-members.ts';
import { outlineOf } from './outline.ts';
import type { Procedure } from './procedure.ts';

/** Characters of all paths together. */
const LENGTH_MAX = 1_000;

/**
 * Tells the names of an input's unknown members in a header, before the input is checked: a misspelled field is often a
 * missing one too. The calls of a batch share the header.
 *
 * It stays below 1,100 characters: proxies give all headers of an answer 4 to 8 KB, and twenty long names beyond ASCII
 * would turn the answer to a stored request into their 502.
 */
export function tellIgnoredMembers(call: Call, { input: schema }: Procedure, given: unknown): void {
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
