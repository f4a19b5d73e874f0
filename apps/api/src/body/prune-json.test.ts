import { createSchemas, DEFAULT_PAYERS, list, toValidationErrors } from '@insurance-verification/schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { outlineOf } from '../procedure/outline.ts';
import type { JsonFault } from './json-scanner.ts';
import { findJsonFault } from './parse-json.ts';
import { pruneJson } from './prune-json.ts';

const schemas = createSchemas({ payers: DEFAULT_PAYERS });
const { verification_time: dateTime } = schemas.InsurancePlanData.shape;

/** A little of everything that operations take. */
const model = z.object({
  text: z.string(),
  maybe: z.string().nullable().optional(),
  when: dateTime,
  count: z.int().optional(),
  inner: z.object({ text: z.string(), codes: list(z.string()).nullable().optional() }),
  entries: list(z.object({ text: z.string(), when: dateTime.optional(), codes: list(z.string()) })),
  kinds: list(z.enum(['a', 'b']))
    .min(1)
    .optional(),
});
const outline = outlineOf(model);

function answerTo(text: string): unknown {
  const raw: unknown = JSON.parse(text);
  const { data, error } = model.safeParse(raw);
  return error ? toValidationErrors(error.issues, raw) : data;
}

const arbitrarySpace = fc.constantFrom('', '', ' ', '\n\t ');
const arbitraryScalar = fc.constantFrom(
  '"a"',
  '"a"',
  '"2026-11-20T10:15:00Z"',
  '"\\u0061"',
  'null',
  '0',
  '-1.5e3',
  'true',
);
const names = ['text', 'maybe', 'when', 'count', 'inner', 'entries', 'kinds', 'codes'].map(
  (name) => `"${name}"`,
);
const arbitraryName = fc.constantFrom(...names, ...names, '"\\u0074ext"', '"unknown"', '"__proto__"', '""');

/** JSON texts of the model's names and kinds, in any mixture, with repeated and unknown members and odd white space. */
const arbitraryText = fc.letrec<Record<'value' | 'member' | 'object' | 'list', string>>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, arbitraryScalar, tie('object'), tie('list')),
  member: fc
    .oneof(
      fc.tuple(arbitraryName, arbitrarySpace, tie('value')),
      fc.tuple(fc.constantFrom('"entries"', '"codes"'), arbitrarySpace, tie('list')),
      fc.tuple(fc.constantFrom('"text"', '"when"'), arbitrarySpace, arbitraryScalar),
    )
    .map(([name, space, value]) => `${name}${space}:${space}${value}`),
  object: fc
    .tuple(arbitrarySpace, fc.array(tie('member'), { maxLength: 7 }))
    .map(([space, members]) => `{${space}${members.join(`${space},`)}}`),
  list: fc
    .tuple(arbitrarySpace, fc.array(tie('value'), { maxLength: 3 }), fc.constantFrom(1, 1, 700))
    .map(([space, items, times]) => {
      const text = items.join(`${space},${space}`);
      // Past the thousandth fault, but not in every list of a list.
      const repeated = text === '' || text.length > 60 ? text : Array<string>(times).fill(text).join();
      return `[${space}${repeated}${space}]`;
    }),
})).object;

test('a pruned text gets the answer of the whole one', () => {
  let shorterCount = 0;
  fc.assert(
    fc.property(arbitraryText, (text) => {
      const pruned = pruneJson(Buffer.from(text), outline);
      if (pruned.length < text.trim().length) shorterCount += 1;
      expect(answerTo(pruned)).toEqual(answerTo(text));
    }),
    { numRuns: 1_000 },
  );
  expect(shorterCount).toBeGreaterThan(500); // otherwise nothing was tested
});

// The pruned text is parsed instead of the whole one: what it dropped must have been JSON too.
test('a text that is no JSON is refused where it stops being JSON', () => {
  const cuts = fc.tuple(
    arbitraryText,
    fc.nat(),
    fc.constantFrom('', ',', '"', '}', ']', '\\', '\u0001', '01'),
  );
  fc.assert(
    fc.property(cuts, ([text, place, put]) => {
      const at = place % (text.length + 1);
      const broken = text.slice(0, at) + put + text.slice(at + 1);
      const fault = findJsonFault(Buffer.from(broken));
      if (fault === null) expect(answerTo(pruneJson(Buffer.from(broken), outline))).toEqual(answerTo(broken));
      else
        expect(() => pruneJson(Buffer.from(broken), outline)).toThrow(
          expect.objectContaining({ at: fault }) as JsonFault,
        );
    }),
    { numRuns: 1_000 },
  );
});

test('of names that are not read the first are kept', () => {
  const kept = '{"text":"a","inner":{"text":"b","x":null},"unknown":null}';
  expect(
    pruneJson(Buffer.from('{"text":0,"unknown":[[{}]],"text":"a","inner":{"x":{},"text":"b"}}'), outline),
  ).toBe(kept);
  expect(pruneJson(Buffer.from(` ${kept} `), outline)).toBe(kept);
});

// Cutting at what only looks like a fault would silently lose valid elements.
test.each([
  ['a repeated member, of which the last is right', '{"text":0,"text":"a","codes":[]}'],
  ['an absent member that may be absent', '{"text":"a","codes":[]}'],
  ['a null that may be null', '{"text":"a","maybe":null,"codes":[]}'],
  ['a number that its field alone can judge', '{"text":"a","count":1.5,"codes":[]}'],
])('a list keeps all elements with %s', (_, element) => {
  const entry = z.object({
    text: z.string(),
    maybe: z.string().nullable().optional(),
    codes: list(z.string()),
  });
  const shape = outlineOf(z.object({ entries: list(entry.extend({ count: z.int().optional() })) }));
  const text = `{"entries":[${Array<string>(1_500).fill(element).join()}]}`;
  const kept = JSON.parse(pruneJson(Buffer.from(text), shape)) as { entries: unknown[] };
  expect(kept.entries).toHaveLength(1_500);
});

test('a list is cut after its thousandth element that is a fault for certain', () => {
  const text = `{"entries":[${Array<string>(1_500).fill('{"text":"a"},{"text":"a","codes":[]}').join()}]}`;
  const kept = JSON.parse(pruneJson(Buffer.from(text), outline)) as { entries: unknown[] };
  expect(kept.entries).toHaveLength(1_999);
});

test('an outline is refused for a kind of schema with unknown members', () => {
  expect(() => outlineOf(z.object({ any: z.record(z.string(), z.string()) }))).toThrow(TypeError);
});
