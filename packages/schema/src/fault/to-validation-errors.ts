import type * as z from 'zod';
import { FAULT_COUNT_MAX } from '../field/list.ts';
import { faultOf } from './fault-of-issue.ts';
import type { ValidationError } from './validation-error.ts';

/**
 * Converts Zod's issues to the `detail` of a 422: one entry per location, in schema order, with FastAPI's codes and
 * texts. Values are never repeated. Reports at most the first thousand faults.
 *
 * @param issues `error.issues` of a failed parse.
 * @param raw the parsed value; it distinguishes an absent field (`missing`) from one of the wrong type.
 * @param locOf the location of a path. Default: `["body", …path]`; for a query, `(path) => ['query', ...path]`.
 */
export function toValidationErrors(
  issues: readonly z.core.$ZodIssue[],
  raw: unknown,
  locOf: (path: readonly (string | number)[]) => (string | number)[] = (path) => ['body', ...path],
): ValidationError[] {
  const byLocation = new Map<string, ValidationError>();
  for (const issue of issues) {
    const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
    const loc = locOf(path);
    const key = JSON.stringify(loc);
    if (byLocation.has(key)) continue;
    const { msg, type } = faultOf(issue, valueAt(raw, path));
    byLocation.set(key, { loc, msg, type });
    if (byLocation.size === FAULT_COUNT_MAX) break;
  }
  return [...byLocation.values()];
}

/** The value at `path`, or undefined. Only own keys count, as when parsing a JSON body. */
function valueAt(raw: unknown, path: readonly (string | number)[]): unknown {
  // A `null` body equals no body (FastAPI), unlike a nested `null`, which is a value of the wrong type.
  if (path.length === 0) return raw ?? undefined;
  let value = raw;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}
