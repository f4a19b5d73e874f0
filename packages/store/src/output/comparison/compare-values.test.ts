import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differenceOf, type FieldValue } from './compare-values.ts';
import { COMPARED_FIELDS, type ComparisonKind } from './compared-fields.ts';

const kindAt = (path: keyof typeof COMPARED_FIELDS): ComparisonKind => COMPARED_FIELDS[path][0];

// Broke: each of these was "nearly the same", on the page that exists so that a wrong result does not go out.
test.each([
  ['/insurance_data/*/plan_info/eligibility_status', 'Active', 'Inactive', 'different'],
  ['/insurance_data/*/plan_info/plan_name', 'PPO 1000', 'PPO 5000', 'different'],
  ['/insurance_data/*/plan_info/end_date', '2026-12-31', '2025-12-31', 'different'],
  ['/insurance_data/*/plan_info/cpt_code_coverage', ['D0120'], ['D0140'], 'different'],
  ['/request/input/provider_info/npi', '1234567893', '1234567819', 'different'],
  ['/request/input/patient_info/subscriber_id', 'W123456789', 'W123456777', 'different'],
  ['/request/input/patient_info/address', '12 Main Street', '13 Main Street', 'different'],
  ['/request/input/payer_info/name', 'Payer Plan 1', 'Payer Plan 2', 'different'],
] as const)('%s: %j is not nearly %j', (path, other, offered, difference) => {
  expect(differenceOf(kindAt(path), other, offered).difference).toBe(difference);
});

// Broke: a point, a sign and the space between two numbers were left out, and ten became a thousand.
test.each([
  ['exact', 'Copay 10.00', 'Copay 1000'],
  ['exact', '-5', '5'],
  ['exact', 'ppo', 'PPO'],
  ['date', '1/11/1984', '11/1/1984'],
  ['name', '1 12th Street', '11 2th Street'],
] as const)('%s: %j is not %j written differently', (kind, other, offered) => {
  expect(differenceOf(kind, other, offered).difference).not.toBe('form');
});

test.each([
  ['id', 'W123456789', 'W123456789', 'none', []],
  ['id', null, '', 'none', []],
  ['id', null, 'x', 'added', []],
  ['id', 'x', null, 'missing', []],
  ['id', 'W-123 456', 'w123456', 'form', []],
  ['id', 'W123456789', 'W123456798', 'swapped', [9, 10]],
  ['id', 'W-123456789', 'W123456798', 'swapped', [9, 10]],
  ['id', 'W123456789', 'W123456784', 'different', [10]],
  ['id', 'W123456789', 'W12345678', 'different', [10]],
  ['id', 'W123456789', 'W1023456789', 'different', [3]],
  ['id', 'W123456789', 'X987654321', 'different', []],
  ['id', '12', '21', 'swapped', []],
  ['date', '2026-12-31', '2025-12-31', 'different', [4]],
  ['date', '1984-05-06', '1984-06-05', 'swapped', [6, 8]],
  ['date', '05/17/1984', '17/05/1984', 'swapped', [1, 2, 3, 4]],
  ['date', '1984-05-17', '1984-05-71', 'swapped', [7, 8]],
  ['date', '1984-05-17', '1984/5/17', 'form', []],
  ['date', '1984-05-17', '1991-12-24', 'different', []],
  ['instant', '2026-11-20T10:00:00Z', '2026-11-20T11:00:00.000+01:00', 'form', []],
  ['instant', '2026-11-20T10:00:00Z', '2026-11-20T10:00:01Z', 'different', []],
  ['codes', ['D0120', 'D0140'], ['D0140', 'D0120'], 'form', []],
  ['codes', ['D0120, D0140'], ['D0120', 'D0140'], 'different', []],
  ['codes', null, [], 'added', []],
  ['exact', 'null', null, 'missing', []],
  ['name', 'Jane Doe', 'JANE  DOE', 'form', []],
  ['name', 'Jose\u0301 Roe', 'José Roe', 'form', []],
  ['name', 'Jane Doe', 'DOE, Jane', 'near', []],
  ['name', 'Jane Doe', 'Jane Dow', 'near', []],
  ['name', 'Catherine Roe', 'Katherine Ro', 'near', []],
  ['name', 'Dan Roe', 'Dan Lee', 'different', []],
  ['name', 'Al', 'Ed', 'different', []],
  ['name', 'a', 'b', 'different', []],
] as const)('%s: %j and %j: %s %j', (kind, other, offered, difference, places) => {
  expect(differenceOf(kind, other, offered)).toEqual({ difference, places });
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 14 }),
  fc.stringMatching(/^[A-Z]?\d{1,10}$/),
  fc.date({ noInvalidDate: true, min: new Date(0) }).map((instant) => instant.toISOString().slice(0, 10)),
);

/** A text, and another or the same with up to two slips of the hand. */
const pair = fc.oneof(
  fc.tuple(text, text),
  fc
    .tuple(text, fc.array(fc.tuple(fc.nat(), fc.constantFrom('', '0', '9', 'x', ' ', '-')), { maxLength: 2 }))
    .map(([one, slips]): [string, string] => {
      const letters = Array.from(one);
      for (const [at, letter] of slips) letters[at % (letters.length + 1)] = letter;
      return [one, letters.join('')];
    }),
);

const kinds = (of: (kind: ComparisonKind) => boolean) =>
  fc.constantFrom(...Object.values(COMPARED_FIELDS).map(([kind]) => kind)).filter(of);

/** A list of codes for a field that holds one. */
const valueOf = (kind: ComparisonKind, of: string): FieldValue => (kind === 'codes' ? of.split(' ') : of);

const differing = (kind: ComparisonKind, [one, two]: readonly [string, string]) =>
  differenceOf(kind, valueOf(kind, one), valueOf(kind, two));

test('nothing but a name or an address is ever near', () => {
  fc.assert(
    fc.property(
      kinds((kind) => kind !== 'name'),
      pair,
      (kind, values) => {
        expect(differing(kind, values).difference).not.toBe('near');
      },
    ),
    { numRuns: 2000 },
  );
});

test('two values of an exact field are equal or different', () => {
  fc.assert(
    fc.property(pair, ([one, two]) => {
      const expected = one === two ? 'none' : one === '' ? 'added' : two === '' ? 'missing' : 'different';
      expect(differenceOf('exact', one, two)).toEqual({ difference: expected, places: [] });
    }),
  );
});

test('only equal values do not differ, and the other way round finds the same', () => {
  const reversed = { added: 'missing', missing: 'added' } as Readonly<Record<string, string>>;
  fc.assert(
    fc.property(
      kinds((kind) => kind !== 'own'),
      pair,
      (kind, [one, two]) => {
        const { difference, places } = differing(kind, [one, two]);
        expect(difference === 'none').toBe(one === two);
        const back = differing(kind, [two, one]);
        expect([back.difference, back.places]).toEqual([reversed[difference] ?? difference, places]);
      },
    ),
    { numRuns: 1000 },
  );
});

test('near and written differently hide no number of a name or an address', () => {
  const numbers = (of: string) => of.match(/\p{N}+/gu);
  fc.assert(
    fc.property(pair, ([one, two]) => {
      const { difference } = differenceOf('name', one, two);
      const isAlike = difference === 'near' || difference === 'form';
      expect(isAlike ? numbers(one) : null).toEqual(isAlike ? numbers(two) : null);
    }),
    { numRuns: 1000 },
  );
});

test('of two dates or ids of one length the digits that differ are named, unless most do', () => {
  const digits = fc.stringMatching(/^\d{10}$/);
  fc.assert(
    fc.property(
      digits,
      fc.array(fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 })), { maxLength: 6 }),
      fc.constantFrom('id', 'date'),
      (one, slips, kind) => {
        const other = Array.from(one);
        for (const [at, digit] of slips) other[at] = String(digit);
        const differs = Array.from(one).flatMap((digit, at) => (digit === other[at] ? [] : [at + 1]));
        expect(differenceOf(kind, one, other.join('')).places).toEqual(differs.length > 5 ? [] : differs);
      },
    ),
  );
});
