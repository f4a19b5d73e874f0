import type { Call } from './context/call.ts';
import { IGNORED_COUNT_MAX, ignoredMembers } from './ignored-members.ts';
import { outlineOf } from './outline.ts';
import type { Procedure } from './procedure.ts';

/**
 * Tells the names of an input's unknown members in a header, before the input is checked: a misspelled field is often a
 * missing one too. The calls of a batch share the header.
 */
export function tellIgnoredMembers(call: Call, { input: schema }: Procedure, given: unknown): void {
  if (!schema) return;
  const paths = ignoredMembers(given, outlineOf(schema));
  if (paths.length === 0) return;
  call.ignoredMembers ??= new Set();
  for (const path of paths) call.ignoredMembers.add(path);
  const told = [...call.ignoredMembers];
  const more = told.length > IGNORED_COUNT_MAX ? ['...'] : [];
  call.setHeader('Ignored-Members', [...told.slice(0, IGNORED_COUNT_MAX), ...more].join(', '));
}
