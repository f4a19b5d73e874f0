import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ComparedPatient, comparePatients } from '../src/index.ts';
import { birthDateReadings, isSameReading } from '../src/patient/birth-date-readings.ts';

const ABSENT = '·';

interface Pair {
  readonly kind: string;
  readonly verdict: string;
  readonly one: ComparedPatient;
  readonly other: ComparedPatient;
  readonly why: string;
}

function patientOf(fields: readonly string[]): ComparedPatient {
  const [subscriber_id, dob, name] = fields.map((field) => (field === ABSENT ? undefined : field));
  return { subscriber_id, dob, name };
}

function readPairs(): Pair[] {
  let kind = '';
  return readFileSync(join(import.meta.dirname, 'patient-pairs.tsv'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('# ')) kind = line.slice(2);
      const [verdict = '', ...fields] = line.split('\t');
      if (fields.length === 0) return [];
      const [one, other] = [patientOf(fields.slice(0, 3)), patientOf(fields.slice(3, 6))];
      return [{ kind, verdict, one, other, why: fields[6] ?? '' }];
    });
}

const pairs = readPairs();

// A pair read as `same` that is not is a stranger's coverage at a clinic; one read as `another` that is not ends a
// request that a person would have answered.
describe.each([...Map.groupBy(pairs, ({ kind }) => kind)])('%s', (_, alike) => {
  test('are compared as a careful clerk compares them', () => {
    for (const { one, other, verdict, why } of alike)
      expect(comparePatients(one, other).kind, JSON.stringify([one, other, why])).toBe(verdict);
  });
});

test('the table holds every kind of pair, with each verdict', () => {
  expect(pairs.length).toBeGreaterThan(120);
  expect([...new Set(pairs.map(({ verdict }) => verdict))].toSorted()).toEqual([
    'another',
    'cannot_tell',
    'same',
  ]);
});

const part = <K extends keyof ComparedPatient>(name: K) =>
  fc.constantFrom(...new Set(pairs.flatMap(({ one, other }) => [one[name], other[name]])));

/** Patients of whatever the table has: most of the million pairs stand in no row of it. */
const patient: fc.Arbitrary<ComparedPatient> = fc.record({
  subscriber_id: part('subscriber_id'),
  dob: fc.oneof(
    part('dob'),
    fc
      .date({ min: new Date('1900-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
      .map((day) => day.toISOString().slice(0, 10)),
  ),
  name: part('name'),
});

const RUNS = 1_000;

test(`it makes no difference which of the two is asked first (${RUNS} pairs)`, () => {
  fc.assert(
    fc.property(patient, patient, (one, other) => {
      expect(comparePatients(one, other)).toEqual(comparePatients(other, one));
    }),
    { numRuns: RUNS },
  );
});

test(`no patient is another's same whose birth date differs in every reading (${RUNS} pairs)`, () => {
  fc.assert(
    fc.property(patient, patient, fc.boolean(), (one, rest, isSameButForDate) => {
      const other = isSameButForDate ? { ...one, dob: rest.dob } : rest;
      const [some, others] = [birthDateReadings(one.dob), birthDateReadings(other.dob)];
      const differ =
        some.length > 0 && others.length > 0 && !some.some((a) => others.some((b) => isSameReading(a, b)));
      expect(differ && comparePatients(one, other).kind !== 'another').toBe(false);
    }),
    { numRuns: RUNS },
  );
});

/** As mainframes write it. */
function folded({ subscriber_id, dob, name }: ComparedPatient): ComparedPatient {
  return {
    subscriber_id: subscriber_id?.toLowerCase().replaceAll('-', ' '),
    dob: dob?.toUpperCase(),
    name: name?.normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase().replaceAll(/[ -]+/g, '  '),
  };
}

test(`case, accents, hyphens and blanks make no difference (${RUNS} pairs)`, () => {
  fc.assert(
    fc.property(patient, patient, (one, other) => {
      expect(comparePatients(folded(one), other)).toEqual(comparePatients(one, other));
    }),
    { numRuns: RUNS },
  );
});

// Broke: only the first 200 characters of a name or an id were compared, so that two persons were the same.
test('names of more than 20 words and texts of more than 500 characters agree only where they are equal', () => {
  const kindOf = (one: ComparedPatient, other: ComparedPatient) =>
    comparePatients({ dob: '1984-05-17', ...one }, { dob: '1984-05-17', ...other }).kind;
  for (const name of ['Ann '.repeat(21), 'J'.repeat(501)]) {
    const same = { subscriber_id: 'W1', name };
    expect(kindOf(same, same)).toBe('same');
    expect(kindOf(same, { ...same, name: `${name}x` })).toBe('cannot_tell');
    expect(kindOf(same, { ...same, name: 'Jane Doe' })).toBe('cannot_tell');
  }
  const id = '1'.repeat(501);
  expect(comparePatients({ subscriber_id: id }, { subscriber_id: id }).kind).toBe('same');
  expect(comparePatients({ subscriber_id: id }, { subscriber_id: `${id}2` }).kind).toBe('another');
  expect(comparePatients({ subscriber_id: id }, { subscriber_id: 'unknown' }).kind).toBe('cannot_tell');
  expect(birthDateReadings(`1984-05-17${' '.repeat(80)}`)).toEqual([]);
});

test(`any text is compared, however odd, and costs next to nothing (${RUNS} pairs)`, () => {
  const odd = fc.record({
    subscriber_id: fc.string({ unit: 'binary', maxLength: 40 }),
    dob: fc.string({ unit: 'binary', maxLength: 20 }),
    name: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc
        .array(fc.constantFrom('Baby', 'Jr', 'Dr', ',', 'A', 'Doe', 'M.D.', 'V', '-', '’'), { maxLength: 12 })
        .map((words) => words.join(' ')),
    ),
  });
  fc.assert(
    fc.property(odd, odd, (one, other) => {
      expect(['same', 'another', 'cannot_tell']).toContain(comparePatients(one, other).kind);
    }),
    { numRuns: RUNS },
  );
});
