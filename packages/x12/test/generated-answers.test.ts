import type { InsurancePlanData } from '@insurance-verification/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFinding, readInterchanges, readPayerAnswer } from '../src/index.ts';
import { a271, aContext, aRequest, aSubscriber, PROVIDER, REQUEST_ID } from './a-271.ts';
import { allFixtures } from './fixtures/all-fixtures.ts';
import { arbitraryAnswer } from './fuzz/arbitrary-answer.ts';
import { segmentsOf } from './segments-of.ts';

const RUNS = Number(process.env['FUZZ_CASES'] ?? 1_000);
const SERVICE_DATE = '2026-11-21';

describe('the parse drops nothing', () => {
  const joined = (segments: readonly { elements: readonly string[] }[]) =>
    segments.map(({ elements }) => elements.join('*'));

  test.each(Object.entries(allFixtures))('of the fixtures: %s', (_, fixtures) => {
    for (const { text } of fixtures) {
      const transactions = readInterchanges(text).interchanges.flatMap(({ groups }) =>
        groups.flatMap((group) => group.transactions.filter(({ id }) => id === '271')),
      );
      const kept = readPayerAnswer(text).answers.map((answer) => joined(segmentsOf(answer)));
      expect(kept.slice(0, transactions.length)).toEqual(
        transactions.map(({ segments }) => joined(segments)),
      );
    }
  });

  test('the segments join back to the text', () => {
    const body = `${PROVIDER}
HL*3*2*22*0
NM1*IL*1*DOE*JANE****MI*W123456789
INS*Y*18*001*25
HI*BK:8901
MPI*C*F*A*0*01*CAPTAIN*D8*20200101
EB*B**98*HM*GOLD*27*25**VS*3*Y*Y*HC:99213*1:2
HSD*VS*30***23*1
III*ZZ*11
LS*2120
NM1*P3*1*WELBY*MARCUS
N3*1 OAK AVE
N4*SPRINGFIELD*IL*62701
PER*IC*DESK*TE*8005551212
PRV*PC*PXC*208D00000X
LE*2120
ZZZ*what nobody knows`;
    const [answer] = readPayerAnswer(a271(body)).answers;
    expect(answer && joined(segmentsOf(answer)).join('\n')).toBe(body.trim());
  });

  test(`of any text (${RUNS} cases)`, () => {
    fc.assert(
      fc.property(arbitraryAnswer, (text) => {
        const transactions = readInterchanges(text).interchanges.flatMap(({ groups }) =>
          groups.flatMap((group) => group.transactions),
        );
        const known = new Set(
          transactions.filter(({ id }) => id === '271').map(({ segments }) => joined(segments).join('~')),
        );
        const kept = readPayerAnswer(text).answers.map((answer) => joined(segmentsOf(answer)).join('~'));
        for (const one of known) expect(kept).toContain(one);
      }),
      { numRuns: RUNS },
    );
  });
});

/** A day as X12 writes it. */
const day = fc
  .record({
    year: fc.integer({ min: 2018, max: 2029 }),
    month: fc.integer({ min: 1, max: 12 }),
    date: fc.integer({ min: 1, max: 28 }),
  })
  .map(({ year, month, date }) => `${year}${String(month).padStart(2, '0')}${String(date).padStart(2, '0')}`);
const dated = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        '346',
        '347',
        '356',
        '357',
        '539',
        '540',
        '291',
        '307',
        '348',
        '349',
        '341',
        '442',
        '292',
        '290',
        '343',
      ),
      day,
    )
    .map(([qualifier, one]) => `DTP*${qualifier}*D8*${one}`),
  fc
    .tuple(fc.constantFrom('346', '356', '291', '307', '348', '292', '290'), day, day)
    .map(([qualifier, one, other]) => `DTP*${qualifier}*RD8*${[one, other].toSorted().join('-')}`),
);
const dates = fc.array(dated, { maxLength: 6 });

const row = fc
  .record({
    status: fc.constantFrom('1', '1', '6', 'V', 'R'),
    plan: fc.constantFrom('GOLD', 'SILVER', 'BRONZE'),
    type: fc.constantFrom('', '', 'MA', 'MB'),
    network: fc.constantFrom('', '', 'Y', 'N'),
    dates,
  })
  .map(({ status, plan, type, network, ...rest }) => [
    `EB*${status}*IND*30*${type}*${plan}*******${network}`,
    ...rest.dates,
  ]);

const plansOf = (entries: readonly InsurancePlanData[]) =>
  entries.map(
    ({ plan_info: { eligibility_status: status, plan_name: plan, start_date: start, end_date: end } }) =>
      [status, plan, start, end].join(' '),
  );
const read = (outer: readonly string[], rows: readonly (readonly string[])[]) =>
  readFinding(a271(aSubscriber([...outer, ...rows.flat()].join('\n'))), aContext());

describe('coverages and their days', () => {
  test(`no coverage ends before it begins, and none is Active outside of its days (${RUNS} answers)`, () => {
    fc.assert(
      fc.property(dates, fc.array(row, { minLength: 1, maxLength: 6 }), (outer, rows) => {
        for (const { plan_info: plan } of read(outer, rows).insuranceData) {
          const [start, end] = [plan.start_date ?? '', plan.end_date ?? '9999'];
          expect(end >= start, `${start} ${end}`).toBe(true);
          const isIn = start <= SERVICE_DATE && SERVICE_DATE <= end;
          expect(isIn || plan.eligibility_status !== 'Active', `${start} ${end}`).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
  });

  const shuffled = <T>(items: readonly T[], seed: number) =>
    items
      .map((item, index) => ({ item, key: Math.sin(seed * (index + 1)) }))
      .toSorted((one, other) => one.key - other.key)
      .map(({ item }) => item);

  test(`the order of the DTPs makes no difference (${RUNS} answers)`, () => {
    fc.assert(
      fc.property(dates, fc.array(row, { minLength: 1, maxLength: 4 }), fc.nat(), (outer, rows, seed) => {
        const turned = rows.map(([eb = '', ...rest]) => [eb, ...shuffled(rest, seed)]);
        expect(plansOf(read(shuffled(outer, seed), turned).insuranceData)).toEqual(
          plansOf(read(outer, rows).insuranceData),
        );
      }),
      { numRuns: RUNS },
    );
  });

  test(`the order of the EB rows makes no difference but to the order of the entries (${RUNS} answers)`, () => {
    fc.assert(
      fc.property(dates, fc.array(row, { minLength: 1, maxLength: 6 }), fc.nat(), (outer, rows, seed) => {
        const [one, other] = [read(outer, rows), read(outer, shuffled(rows, seed))];
        expect(other.kind).toBe(one.kind);
        expect(plansOf(other.insuranceData).toSorted()).toEqual(plansOf(one.insuranceData).toSorted());
      }),
      { numRuns: RUNS },
    );
  });
});

describe('whose coverage', () => {
  interface Person {
    readonly first: string;
    readonly birthDate: string;
    readonly status: '1' | '6';
  }
  const person = (first: string) =>
    fc.record({
      first: fc.constant(first),
      birthDate: day,
      status: fc.constantFrom('1' as const, '6' as const),
    });
  const family = fc.tuple(person('JOHN'), person('MARIA'), person('ROBERT'), person('ANN LEE'));

  const answerOf = ([subscriber, ...dependents]: readonly Person[]) =>
    a271(
      [
        PROVIDER,
        'HL*3*2*22*1',
        `TRN*2*${REQUEST_ID}*9IVSERVICE`,
        ...loopOf(subscriber, 'IL', '****MI*W123456789'),
        ...dependents.flatMap((one, index) => [`HL*${index + 4}*3*23*0`, ...loopOf(one, '03', '')]),
      ].join('\n'),
    );
  const loopOf = (one: Person | undefined, role: string, id: string) =>
    one
      ? [
          `NM1*${role}*1*DOE*${one.first}${id}`,
          `DMG*D8*${one.birthDate}`,
          `EB*${one.status}**30**PLAN OF ${one.first}`,
        ]
      : [];
  const written = (text: string) => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;

  test(`any member of a family has their own coverage, in any order of the loops, or none (${RUNS} families)`, () => {
    fc.assert(
      fc.property(
        family,
        fc.nat({ max: 3 }),
        fc.nat({ max: 3 }),
        fc.boolean(),
        (all, askedIndex, first, isDated) => {
          const asked = all[askedIndex];
          const members = [...all.slice(first), ...all.slice(0, first)];
          const request = aRequest({
            patient_info: {
              subscriber_id: 'W123456789',
              name: `${asked?.first} Doe`,
              ...(isDated && { dob: written(asked?.birthDate ?? '') }),
            },
          });
          const finding = readFinding(answerOf(members), aContext({ request }));
          expect(finding.insuranceData.map(({ plan_info: { plan_name } }) => plan_name)).toEqual([
            `PLAN OF ${asked?.first}`,
          ]);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test(`somebody who is not in the answer has no coverage from it (${RUNS} families)`, () => {
    fc.assert(
      fc.property(family, day, fc.constantFrom('Zoe', 'Robin', 'J', 'Maria'), (all, birthDate, first) => {
        fc.pre(all.every((one) => one.birthDate !== birthDate));
        const request = aRequest({
          patient_info: { subscriber_id: 'W123456789', name: `${first} Doe`, dob: written(birthDate) },
        });
        const finding = readFinding(answerOf(all), aContext({ request }));
        expect(finding).toMatchObject({ kind: 'no_result', insuranceData: [] });
      }),
      { numRuns: RUNS },
    );
  });
});
