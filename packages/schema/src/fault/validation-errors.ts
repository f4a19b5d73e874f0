import * as z from 'zod';
import { FAULT_COUNT_MAX, list } from '../field/list.ts';
import { type Fault, wholeNumber } from '../field/text-and-number.ts';
import { model } from '../model.ts';

/** One fault in a request: its location, a text and a code. Never the value: it would be patient data. */
export const ValidationError = model(
  'ValidationError',
  'One fault in a request. It never repeats the value that was sent.',
  {
    loc: list(z.union([z.string(), wholeNumber()])).meta({
      description:
        'Where: "body", "query" or "header", then the keys and list positions that lead to the value.',
    }),
    msg: z.string().meta({ description: 'What is wrong, in English.' }),
    type: z
      .string()
      .meta({ description: 'What is wrong, as a stable code such as "missing" or "string_type".' }),
  },
);
export type ValidationError = z.infer<typeof ValidationError>;

/** The body of every 422 answer. */
export const HTTPValidationError = model('HTTPValidationError', 'The body of every 422 answer.', {
  detail: list(ValidationError).optional().meta({
    description:
      'All faults, one per location, in the order of the schema. Always sent, though the spec does not require it.',
  }),
});
export type HTTPValidationError = z.infer<typeof HTTPValidationError>;

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

const MISSING: Fault = { type: 'missing', msg: 'Field required' };

const WRONG_TYPE: Record<string, Fault> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  object: {
    type: 'model_attributes_type',
    msg: 'Input should be a valid dictionary or object to extract fields from',
  },
  record: { type: 'dict_type', msg: 'Input should be a valid dictionary' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
};

/** Zod gives a pattern with slashes and flags; pydantic writes only the source. */
const SLASHES = /^\/(.*)\/[a-z]*$/s;

/** The code and text of one Zod issue about `value`; undefined means that nothing was sent. */
function faultOf(issue: z.core.$ZodIssue, value: unknown): Fault {
  if (value === undefined) return MISSING;
  switch (issue.code) {
    case 'custom':
      return statedFault(issue.params) ?? { type: 'value_error', msg: issue.message };
    case 'invalid_type':
      return WRONG_TYPE[issue.expected] ?? numberFault(value);
    case 'invalid_value':
      return { type: 'enum', msg: `Input should be ${orList(issue.values.map(String))}` };
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_format':
      return {
        type: 'string_pattern_mismatch',
        msg: `String should match pattern '${issue.pattern?.replace(SLASHES, '$1') ?? issue.format}'`,
      };
    default:
      return { type: 'value_error', msg: 'Input is not valid' };
  }
}

/** The fault stated by one of our own fields: see `textField`. */
function statedFault(params: Record<string, unknown> | undefined): Fault | null {
  const type = params?.['type'];
  const msg = params?.['msg'];
  return typeof type === 'string' && typeof msg === 'string' ? { type, msg } : null;
}

function numberFault(value: unknown): Fault {
  if (typeof value === 'string') {
    return {
      type: 'int_parsing',
      msg: 'Input should be a valid integer, unable to parse string as an integer',
    };
  }
  if (typeof value === 'number' && Number.isFinite(value)) {
    return {
      type: 'int_from_float',
      msg: 'Input should be a valid integer, got a number with a fractional part',
    };
  }
  return { type: 'int_type', msg: 'Input should be a valid integer' };
}

function tooSmall(issue: z.core.$ZodIssueTooSmall): Fault {
  const least = Number(issue.minimum);
  if (issue.origin === 'string') {
    return { type: 'string_too_short', msg: `String should have at least ${count(least, 'character')}` };
  }
  if (issue.origin === 'array') {
    return { type: 'too_short', msg: `List should have at least ${count(least, 'item')} after validation` };
  }
  return issue.inclusive === false
    ? { type: 'greater_than', msg: `Input should be greater than ${least}` }
    : { type: 'greater_than_equal', msg: `Input should be greater than or equal to ${least}` };
}

function tooBig(issue: z.core.$ZodIssueTooBig): Fault {
  const most = Number(issue.maximum);
  if (issue.origin === 'string') {
    return { type: 'string_too_long', msg: `String should have at most ${count(most, 'character')}` };
  }
  if (issue.origin === 'array') {
    return { type: 'too_long', msg: `List should have at most ${count(most, 'item')} after validation` };
  }
  return issue.inclusive === false
    ? { type: 'less_than', msg: `Input should be less than ${most}` }
    : { type: 'less_than_equal', msg: `Input should be less than or equal to ${most}` };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** `'A', 'B' or 'C'`: how pydantic lists an enum's values, each as a Python string literal. */
function orList(values: readonly string[]): string {
  const quoted = values.map(quote);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}

/** Python's repr: single quotes, unless the text contains one and no double quote. */
function quote(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  if (!text.includes("'")) return `'${escaped}'`;
  return text.includes('"') ? `'${escaped.replaceAll("'", "\\'")}'` : `"${escaped}"`;
}
