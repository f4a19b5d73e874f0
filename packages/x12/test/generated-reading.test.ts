import {
  type AmountSummary,
  BenefitReading,
  type NetworkSummary,
  type PlanSummary,
  type SummaryValue,
} from '@insurance-verification/schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFinding, readKeptRows } from '../src/index.ts';
import { a271, aContext, PROVIDER, REQUEST_ID, SUBSCRIBER } from './a-271.ts';

const RUNS = Number(process.env['FUZZ_CASES'] ?? 1_000);

/** How the patient is placed in the answer: a subscriber, a child with rows of their own, a child who is only named. */
const placements = ['subscriber', 'child', 'named child'] as const;
type Placement = (typeof placements)[number];

const FATHER = `
HL*3*2*22*1
TRN*2*${REQUEST_ID}*9IVSERVICE
NM1*IL*1*DOE*MARK****MI*W123456789
DMG*D8*19800101*M`;
const CHILD = `
HL*4*3*23*0
NM1*03*1*DOE*JANE
DMG*D8*19840517*F
INS*N*19`;

/** A row with what a person says of it. Amounts of the patient's own plain rows are below 200, all others above. */
interface Row {
  readonly isPlain: boolean;
  readonly lines: readonly string[];
}

const costs = fc.record({
  code: fc.constantFrom('B', 'A', 'C', 'G'),
  type: fc.constantFrom('30', '98', ''),
  period: fc.constantFrom('23', '27', '29', '33', '24', ''),
  network: fc.constantFrom('Y', 'W', 'N', ''),
  level: fc.constantFrom('IND', ''),
  amount: fc.integer({ min: 100, max: 103 }),
});
type Cost = typeof costs extends fc.Arbitrary<infer C> ? C : never;

function rowOf(
  cost: Cost,
  more: { plan?: string; level?: string; at10?: string; at14?: string; add?: number },
) {
  const amount = cost.amount + (more.add ?? 0);
  const isShare = cost.code === 'A';
  return [
    `EB*${cost.code}*${more.level ?? cost.level}*${cost.type}**${more.plan ?? ''}*${cost.period}`,
    isShare ? '' : amount,
    isShare ? amount : '',
    more.at10 ?? '*',
    '',
    cost.network,
    '',
    more.at14 ?? '',
  ].join('*');
}

const plain = costs.map((cost): Row => ({ isPlain: true, lines: [rowOf(cost, {})] }));
const family = costs.map((cost): Row => ({ isPlain: true, lines: [rowOf(cost, { level: 'FAM' })] }));

/** Rows that a person would call another plan's, another year's, somebody else's, or of some cases only. */
const others = fc
  .tuple(
    costs,
    fc.constantFrom<(cost: Cost) => string[]>(
      (cost) => [rowOf(cost, { plan: 'DENTAL RIDER 50', add: 700 })],
      (cost) => [rowOf(cost, { add: 700 }), 'DTP*292*RD8*20250101-20251231'],
      (cost) => [rowOf(cost, { add: 700 }), 'DTP*348*D8*20250101', 'DTP*349*D8*20251231'],
      (cost) => [rowOf(cost, { add: 700 }), 'DTP*193*D8*20260101', 'DTP*194*D8*20260630'],
      (cost) => [rowOf(cost, { add: 700, level: 'SPO' })],
      (cost) => [rowOf(cost, { add: 700, level: 'SPO' }).toLowerCase().replace(/^eb/, 'EB')],
      (cost) => [rowOf(cost, { add: 700, at10: 'VS*3' })],
      (cost) => [rowOf(cost, { add: 700, at10: 'S7*19' })],
      (cost) => [rowOf(cost, { add: 700, at14: '1' })],
      (cost) => [rowOf(cost, { add: 700 }), 'HSD*VS*3***23*1'],
      (cost) => [rowOf(cost, { add: 700 }), 'III*ZZ*11'],
      (cost) => [rowOf(cost, { add: 700 }), 'LS*2120', 'NM1*13*1*STONE*ADA', 'LE*2120'],
      (cost) => [rowOf(cost, { add: 700 }), 'LS*2120', 'NM1*13*2', 'PRV*PE*PXC*207Q00000X', 'LE*2120'],
    ),
  )
  .map(([cost, linesOf]): Row => ({ isPlain: false, lines: linesOf(cost) }));

const answers = fc
  .tuple(
    fc.constantFrom(...placements),
    fc.array(fc.oneof(plain, family, others), { minLength: 1, maxLength: 10 }),
  )
  .map(([placement, rows]) => ({ placement, rows, text: textOf(placement, rows) }));

function textOf(placement: Placement, rows: readonly Row[]): string {
  const lines = ['EB*1**30**GOLD', ...rows.flatMap((row) => row.lines)].join('\n');
  if (placement === 'subscriber') return a271(`${PROVIDER}${SUBSCRIBER}\n${lines}`);
  return a271(
    placement === 'child'
      ? `${PROVIDER}${FATHER}${CHILD}\n${lines}`
      : `${PROVIDER}${FATHER}\n${lines}${CHILD}`,
  );
}

function read(text: string) {
  const finding = readFinding(text, aContext());
  if (finding.kind !== 'result') throw new Error(`A result, not ${finding.reason}`);
  const [entry] = finding.insuranceData;
  const [found] = finding.benefits;
  if (!entry || !found) throw new Error('One coverage');
  const benefits = readKeptRows(found.rows);
  const reading = new BenefitReading(benefits, {
    plans: [entry.plan_info.plan_name ?? null],
    entry: 0,
    status: entry.plan_info.eligibility_status ?? null,
    relationship: found.relationship,
    serviceDate: finding.serviceDate,
  });
  return { notes: entry.notes ?? '', benefits, summaries: [reading.ofPlan(), reading.ofType('98')] };
}

const amountsOf = ({ total, remaining, met }: AmountSummary) => [total, remaining, met];

function valuesOf({
  in_network: own,
  out_of_network: far,
  network_not_said: unsaid,
}: PlanSummary): SummaryValue[] {
  const networks = [own, far, unsaid].filter((network): network is NetworkSummary => network !== null);
  return networks
    .flatMap(({ copayment, coinsurance, deductible, out_of_pocket: most, maximum }) => [
      copayment,
      coinsurance,
      ...[deductible, most, maximum].flatMap(({ individual, family: all, level_not_said: rest }) =>
        [individual, all, ...(rest === null ? [] : [rest])].flatMap(amountsOf),
      ),
    ])
    .filter((one) => 'value' in one);
}

// Breaks if a desk is ever given an amount that is another person's, another plan's, another day's, or of some visits only.
test(`no value is made of a row that is not plainly the patient's (${RUNS} answers)`, () => {
  fc.assert(
    fc.property(answers, ({ placement, rows, text }) => {
      const { benefits, summaries } = read(text);
      for (const { benefit_ids: ids } of summaries.flatMap(valuesOf))
        for (const id of ids) {
          const at = benefits.findIndex((one) => one.benefit_id === id);
          expect(rows[at - 1]?.isPlain, text).toBe(true); // the first row is the status
          const { level, remaining, period } = benefits[at] ?? {};
          const isPart = remaining === true || period === 'year_to_date';
          if (placement === 'named child' && isPart) expect(level, text).toBe('family');
        }
    }),
    { numRuns: RUNS },
  );
});

// Breaks if the webhook's notes ever give another amount than the summary of requests.benefits.
test(`each amount of the notes is the summary's (${RUNS} answers)`, () => {
  let count = 0;
  fc.assert(
    fc.property(answers, ({ text }) => {
      const { notes, summaries } = read(text);
      const values = new Set(
        summaries.flatMap(valuesOf).map(({ value, unit }) => `${unit} ${Number(value)}`),
      );
      for (const [, dollars, percent] of notes.matchAll(/\$([\d.]+)|([\d.]+) %/g)) {
        count += 1;
        expect([...values], text).toContain(
          dollars === undefined ? `percent ${Number(percent)}` : `usd ${Number(dollars)}`,
        );
      }
    }),
    { numRuns: RUNS },
  );
  expect(count).toBeGreaterThan(RUNS / 10);
});
