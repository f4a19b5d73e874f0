import type * as z from 'zod';
import type { Fault } from '../field/text-field.ts';
import { orList } from './or-list.ts';

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
export function faultOf(issue: z.core.$ZodIssue, value: unknown): Fault {
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
