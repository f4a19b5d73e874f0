import fc from 'fast-check';
import { a271, REQUEST_ID } from '../a-271.ts';
import { allFixtures } from '../fixtures/all-fixtures.ts';

const digits = (count: number) =>
  fc.integer({ min: 0, max: 10 ** count - 1 }).map((value) => String(value).padStart(count, '0'));
const value = fc.oneof(
  fc.constantFrom('', '1', '6', 'U', 'R', 'I', '30', '35', '30^35', 'IL', '03', 'PR', '22', '23', REQUEST_ID),
  fc.constantFrom(
    'D8',
    'RD8',
    '346',
    '347',
    '291',
    '20261121',
    '20260101-20261231',
    'HC:99213',
    'HC:99213:25',
    'AD:D0120',
  ),
  digits(8),
  fc.string({ maxLength: 12 }),
);
const IDS = [
  'HL',
  'NM1',
  'TRN',
  'EB',
  'DTP',
  'AAA',
  'MSG',
  'REF',
  'N3',
  'N4',
  'DMG',
  'LS',
  'LE',
  'BHT',
  'III',
  'ST',
  'SE',
  'GS',
  'IEA',
  'TA1',
];

/** Segments of a 271 in any order with any values: the grammar, and what lies just outside of it. */
const segment = fc
  .tuple(fc.constantFrom(...IDS), fc.array(value, { maxLength: 14 }))
  .map(([id, values]) => [id, ...values].join('*'));
const fromGrammar = fc
  .array(segment, { maxLength: 40 })
  .map((segments) => a271(segments.map((text) => text.replaceAll(/[\n\r]/g, ' ')).join('\n')));

const fixtures = Object.values(allFixtures).flatMap((group) => group.map(({ text }) => text));

/** What happens to a byte, or to a run of them. */
const mutation = fc.record({
  kind: fc.constantFrom('replace', 'remove', 'insert', 'repeat', 'swap'),
  at: fc.nat(),
  length: fc.integer({ min: 1, max: 40 }),
  char: fc.oneof(
    fc.constantFrom('*', '~', ':', '^', '\n', '\r', '\0', ' ', 'ISA', 'IEA*1*1~', '\uFEFF', '\uD800', '9'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  ),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function mutate(text: string, { kind, at, length, char }: Mutation): string {
  const index = text.length === 0 ? 0 : at % text.length;
  const [before, run, after] = [
    text.slice(0, index),
    text.slice(index, index + length),
    text.slice(index + length),
  ];
  if (kind === 'replace') return before + char + text.slice(index + 1);
  if (kind === 'remove') return before + after;
  if (kind === 'insert') return before + char + run + after;
  if (kind === 'repeat') return before + run.repeat(1 + (at % 20)) + after;
  return run + before + after;
}

/** A text a payer might send, or nobody would. */
export const arbitraryAnswer: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.oneof(fromGrammar, fc.constantFrom(...fixtures)), fc.array(mutation, { maxLength: 6 }))
    .map(([text, mutations]) => mutations.reduce(mutate, text)),
  fromGrammar,
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);
