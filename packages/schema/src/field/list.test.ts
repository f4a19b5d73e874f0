import { expect, test } from 'vitest';
import * as z from 'zod';
import { toValidationErrors } from '../fault/validation-errors.ts';
import * as exported from '../index.ts';
import { FAULT_COUNT_MAX, list } from './list.ts';

const Code = z.object({ code: z.string(), note: z.string() });
const Codes = z.object({ codes: list(Code) });

const faultsOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues ?? [];

test('a list stops at its thousandth fault and reports the first thousand', () => {
  const codes = Array.from({ length: 350_000 }, () => ({}));
  const faults = toValidationErrors(faultsOf(Codes, { codes }), { codes });
  expect(faults).toHaveLength(1_000);
  expect(faults[0]?.loc).toEqual(['body', 'codes', 0, 'code']);
  expect(faults.at(-1)?.loc).toEqual(['body', 'codes', 499, 'note']);
});

// Spreading 125,000 faults of an inner list into the outer one's overflowed the stack.
test('a list in a list stops as well', () => {
  const Nested = z.object({ entries: list(z.object({ codes: list(z.string()) })) });
  const entries = Array.from({ length: 100 }, () => ({ codes: Array(200_000).fill(0) }));
  expect(faultsOf(Nested, { entries })).toHaveLength(FAULT_COUNT_MAX);
});

test('what is made from a list stops too', () => {
  const numbers = Array(200_000).fill(0);
  const made = [
    list(z.string()).min(1),
    list(z.string()).max(300_000).nullable().optional(),
    list(z.string()).meta({ description: 'Codes.' }),
    z.object({ a: list(z.string()) }).extend({ b: z.string().optional() }).shape.a,
  ];
  for (const schema of made)
    expect(faultsOf(schema, numbers).length).toBeLessThanOrEqual(FAULT_COUNT_MAX + 1);
});

test('a list is else what z.array is', async () => {
  expect(Codes.safeParse({ codes: [{ code: 'a', note: 'b', more: 1 }] }).data).toEqual({
    codes: [{ code: 'a', note: 'b' }],
  });
  for (const value of [undefined, null, {}, 'a', 0])
    expect(faultsOf(list(z.string()), value)).toEqual(faultsOf(z.array(z.string()), value));
  expect(faultsOf(list(z.string()).min(1), [])).toEqual(faultsOf(z.array(z.string()).min(1), []));
  expect(z.toJSONSchema(list(z.string()))).toEqual(z.toJSONSchema(z.array(z.string())));
  const slow = list(z.string().refine(async (text) => text !== 'b'));
  expect((await slow.safeParseAsync(['a', 'b'])).error?.issues[0]?.path).toEqual([1]);
});

/** Every schema within a schema. */
function within(schema: z.core.$ZodType, seen = new Set<z.core.$ZodType>()): Set<z.core.$ZodType> {
  if (seen.has(schema)) return seen;
  seen.add(schema);
  const inner: z.core.$ZodType[] =
    schema instanceof z.ZodObject
      ? Object.values<z.core.$ZodType>(schema.shape)
      : schema instanceof z.ZodArray
        ? [schema.element]
        : schema instanceof z.ZodUnion
          ? [...schema.options]
          : schema instanceof z.ZodOptional ||
              schema instanceof z.ZodNullable ||
              schema instanceof z.ZodDefault
            ? [schema.def.innerType]
            : [];
  for (const each of inner) within(each, seen);
  return seen;
}

test('no published model has an endless list', () => {
  const values: unknown[] = [...Object.values(exported), ...Object.values(exported.defaultSchemas)];
  const models = values.filter((value) => value instanceof z.ZodType);
  const lists = models
    .flatMap((model) => [...within(model)])
    .filter((schema) => schema instanceof z.ZodArray);
  expect(lists.length).toBeGreaterThan(20);
  expect(lists.filter((schema) => !schema._zod.traits.has('List'))).toEqual([]);
});
