import { BenefitReading, type NetworkSummary, summariseBenefits } from '@insurance-verification/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { askedProcedures, askedServiceTypes, type KeptRow, readKeptRows } from '../src/index.ts';
import { aRequest } from './a-271.ts';

/** Rows as a payer sends them; what begins with another segment than EB belongs to the row before it. */
function rowsOf(lines: readonly string[], loop: KeptRow['loop'] = 'patient') {
  const rows: string[][] = [];
  for (const line of lines) {
    if (line.startsWith('EB')) rows.push([line]);
    else rows.at(-1)?.push(line);
  }
  return readKeptRows(rows.map((segments, row) => ({ row, loop, delimiters: '*:^', segments })));
}

interface Told {
  readonly codes?: readonly string[];
  readonly loop?: KeptRow['loop'];
  readonly relationship?: 'self' | 'spouse' | 'child' | null;
  readonly plans?: readonly (string | null)[];
  readonly status?: 'Active' | 'Inactive' | null;
}

function summaryOf(
  lines: readonly string[],
  { codes = [], loop, relationship = 'self', plans = ['GOLD'], status = 'Active' }: Told = {},
) {
  const request = aRequest({ cpt_code_coverage: [...codes] });
  const reading = new BenefitReading(rowsOf(lines, loop), {
    plans,
    entry: 0,
    status,
    relationship,
    serviceDate: '2026-11-26',
  });
  return summariseBenefits(reading, askedServiceTypes(request), askedProcedures(request));
}

const planOf = (...lines: readonly string[]) => summaryOf(lines).plan;
const value = (text: string, period: string | null, ...ids: string[]) => ({
  value: text,
  unit: 'usd',
  period,
  benefit_ids: ids,
});
const gap = (why: 'not_said' | 'several', ...ids: string[]) => ({ why, benefit_ids: ids });

describe('the plan', () => {
  test('a deductible, what is left of it, and what is used, in two rows with different periods', () => {
    const { in_network: own } = planOf('EB*C*IND*30***23*1500*****Y', 'EB*C*IND*30***29*900*****Y');
    expect(own.deductible.individual).toEqual({
      total: value('1500.00', 'calendar_year', 'b0'),
      remaining: value('900.00', null, 'b1'),
      met: value('600.00', 'calendar_year', 'b0', 'b1'),
    });
  });

  test('what is used as the payer says it', () => {
    const { in_network: own } = planOf('EB*G*IND*30***23*1500*****Y', 'EB*G*IND*30***24*200*****Y');
    expect(own.out_of_pocket.individual).toEqual({
      total: value('1500.00', 'calendar_year', 'b0'),
      remaining: gap('not_said'),
      met: value('200.00', 'year_to_date', 'b1'),
    });
  });

  test('the family next to the individual, whichever comes first', () => {
    const rows = ['EB*C*FAM*30***23*3000*****Y', 'EB*C*FAM*30***29*0*****Y', 'EB*C*IND*30***23*1500*****Y'];
    for (const lines of [rows, rows.toReversed()]) {
      const { deductible } = planOf(...lines).in_network;
      expect(deductible.family).toMatchObject({
        total: { value: '3000.00' },
        remaining: { value: '0.00' },
        met: { value: '3000.00' },
      });
      expect(deductible.individual).toMatchObject({
        total: { value: '1500.00' },
        remaining: { why: 'not_said' },
        met: { why: 'not_said' },
      });
    }
  });

  test('two amounts for different times are several', () => {
    const { deductible } = planOf('EB*C*IND*30***23*1500*****Y', 'EB*C*IND*30***32*5000*****Y').in_network;
    expect(deductible.individual.total).toEqual(gap('several', 'b0', 'b1'));
  });

  test('what is left of a lifetime says nothing of the year', () => {
    const { maximum } = planOf('EB*F*IND*30***23*1500*****Y', 'EB*F*IND*30***33*5000*****Y').in_network;
    expect(maximum.individual).toMatchObject({
      remaining: { value: '5000.00', period: 'lifetime' },
      met: { why: 'several' },
    });
  });

  test('the same amount with and without decimals is one', () => {
    const { copayment } = planOf('EB*B**30***27*25*****Y', 'EB*B**30***27*25.00*****Y').in_network;
    expect(copayment).toEqual(value('25.00', 'visit', 'b0', 'b1'));
  });

  test('percent 0 is a value', () => {
    const { coinsurance } = planOf('EB*A**30*****0****Y').in_network;
    expect(coinsurance).toEqual({ value: '0', unit: 'percent', period: null, benefit_ids: ['b0'] });
  });

  test('a co-payment that depends on the place is several', () => {
    const office = ['EB*B**30***27*25*****Y', 'III*ZZ*11'];
    const hospital = ['EB*B**30***27*75*****Y', 'III*ZZ*22'];
    expect(planOf(...office, ...hospital).in_network.copayment).toEqual(gap('several', 'b0', 'b1'));
    expect(planOf(...office).in_network.copayment).toEqual(gap('several', 'b0'));
  });

  test('tiers in messages are several', () => {
    const { copayment } = planOf(
      'EB*B**30***27*25*****Y',
      'MSG*TIER 1',
      'EB*B**30***27*50*****Y',
      'MSG*TIER 2',
    ).in_network;
    expect(copayment).toEqual(gap('several', 'b0', 'b1'));
  });

  test('a row for either network next to one for out of it', () => {
    const plan = planOf('EB*C*IND*30***23*1500*****W', 'EB*C*IND*30***23*3000*****N');
    expect(plan.in_network.deductible.individual.total).toEqual(value('1500.00', 'calendar_year', 'b0'));
    expect(plan.out_of_network.deductible.individual.total).toEqual(gap('several', 'b0', 'b1'));
  });

  test('no cover out of network, and nothing said of it, are different', () => {
    expect(planOf('EB*1**30*********Y', 'EB*I**30*********N').out_of_network.cover).toMatchObject({
      value: 'not_covered',
    });
    expect(planOf('EB*1**30*********Y').out_of_network.cover).toEqual(gap('not_said'));
  });

  test('an answer all in words has no value, and names the rows', () => {
    const { copayment } = planOf('EB*B**30*********Y', 'MSG*COPAY $25 FOR SPECIALISTS').in_network;
    expect(copayment).toEqual(gap('not_said', 'b0'));
  });

  test('where no row names a network or whose it is, that is distinguished', () => {
    const plan = planOf('EB*1**30*MB', 'EB*C**30*MB**23*257');
    expect(plan.in_network.deductible.individual.total).toEqual(gap('not_said'));
    expect(plan.network_not_said?.cover).toMatchObject({ value: 'covered' });
    expect(plan.network_not_said?.deductible.level_not_said?.total).toMatchObject({ value: '257.00' });
    expect(planOf('EB*1**30*********Y').network_not_said).toBeNull();
  });

  test("last year's amount says nothing of this year", () => {
    const { deductible } = planOf(
      'EB*C*IND*30***23*1000*****Y',
      'DTP*292*RD8*20250101-20251231',
      'EB*C*IND*30***23*1500*****Y',
      'DTP*292*RD8*20260101-20261231',
    ).in_network;
    expect(deductible.individual.total).toEqual(value('1500.00', 'calendar_year', 'b1'));
  });

  test('a row for one service is not the plan’s', () => {
    expect(planOf('EB*B**98***27*25*****Y').in_network.copayment).toEqual(gap('not_said'));
  });

  test('authorization', () => {
    expect(planOf('EB*1**30********Y*Y').in_network.authorization).toMatchObject({ value: 'required' });
    expect(planOf('EB*1**30********N*Y').in_network.authorization).toMatchObject({ value: 'not_required' });
    expect(planOf('EB*1**30********Y*Y', 'EB*1**30********N*Y').in_network.authorization).toEqual(
      gap('several', 'b0', 'b1'),
    );
  });
});

test('dental care is summed up next to the plan where dental codes are asked for', () => {
  const rows = ['EB*F*IND*35***23*1500*****Y', 'EB*F*IND*35***29*1120*****Y'];
  expect(summaryOf(rows).service_types).toEqual([]);
  expect(summaryOf(rows, { codes: ['D0120'] }).service_types).toMatchObject([
    {
      service_type: '35',
      in_network: {
        maximum: {
          individual: {
            total: { value: '1500.00' },
            remaining: { value: '1120.00' },
            met: { value: '380.00' },
          },
        },
      },
    },
  ]);
});

describe('a row that holds in some cases only is no plain cost', () => {
  const PLAIN = 'EB*B*IND*30***27*25*****Y';
  const NARROW: readonly (readonly [name: string, ...segments: string[]])[] = [
    ['three visits (EB09, EB10)', 'EB*B*IND*30***27*0**VS*3**Y'],
    ['an age (EB09 S7)', 'EB*B*IND*30***27*0**S7*19**Y'],
    ['an age (EB09 S8)', 'EB*B*IND*30***27*0**S8*65**Y'],
    ['visits (HSD)', 'EB*B*IND*30***27*0*****Y', 'HSD*VS*3***23*1'],
    ['a diagnosis (EB14)', 'EB*B*IND*30***27*0*****Y**1'],
    ['a place (III)', 'EB*B*IND*30***27*0*****Y', 'III*ZZ*11'],
    ['a diagnosis (III)', 'EB*B*IND*30***27*0*****Y', 'III*BK*8901'],
    ['a named provider (2120)', 'EB*B*IND*30***27*0*****Y', 'LS*2120', 'NM1*P3*1*STONE*ADA', 'LE*2120'],
    [
      'a specialty (2120 PRV)',
      'EB*B*IND*30***27*0*****Y',
      'LS*2120',
      'NM1*13*2',
      'PRV*PE*PXC*207Q00000X',
      'LE*2120',
    ],
    ['above a limit (EB06 30)', 'EB*B*IND*30***30*0*****Y'],
  ];

  test.each(NARROW)('%s', (_, ...segments) => {
    expect(planOf(...segments).in_network.copayment).toEqual(gap('several', 'b0'));
    for (const lines of [
      [PLAIN, ...segments],
      [...segments, PLAIN],
    ])
      expect(planOf(...lines).in_network.copayment).toEqual(gap('several', 'b0', 'b1'));
  });

  test('unless a plain row says the same', () => {
    const same = planOf('EB*B*IND*30***27*25**VS*3**Y', PLAIN);
    expect(same.in_network.copayment).toEqual(value('25.00', 'visit', 'b0', 'b1'));
  });

  test('visits of a limit and the provider of a status narrow nothing', () => {
    expect(planOf('EB*F*IND*30***23*500**VS*3**Y').in_network.maximum.individual.total).toMatchObject({
      value: '500.00',
    });
    expect(
      planOf('EB*1**30*********Y', 'LS*2120', 'NM1*P3*1*STONE*ADA', 'LE*2120').in_network.cover,
    ).toMatchObject({ value: 'covered' });
  });
});

describe('whose the money is', () => {
  const SUBSCRIBERS = [
    'EB*C*IND*30***23*1000*****Y',
    'EB*C*IND*30***29*0*****Y',
    'EB*C*FAM*30***29*800*****Y',
  ];

  test('of a subscriber above a named dependent the whole counts and the family, not what is left', () => {
    const { deductible } = summaryOf(SUBSCRIBERS, { loop: 'subscriber', relationship: 'child' }).plan
      .in_network;
    expect(deductible.individual).toEqual({
      total: value('1000.00', 'calendar_year', 'b0'),
      remaining: gap('several', 'b1'),
      met: gap('several', 'b0', 'b1'),
    });
    expect(deductible.family.remaining).toMatchObject({ value: '800.00' });
  });

  test.each(['24', '29', '33'])('nor what is used or left without a level (EB06 %s)', (period) => {
    const { deductible } = summaryOf([`EB*C**30***${period}*0*****Y`], {
      loop: 'subscriber',
      relationship: 'child',
    }).plan.in_network;
    const { remaining, met } = deductible.level_not_said ?? {};
    expect([remaining, met]).toContainEqual(gap('several', 'b0'));
  });

  test.each([
    ['CHD', 'child', true],
    ['CHD', 'self', false],
    ['CHD', 'spouse', false],
    ['DEP', 'child', true],
    ['DEP', 'self', false],
    ['SPO', 'spouse', true],
    ['SPO', 'child', false],
    ['SPC', 'child', true],
    ['SPC', 'self', false],
    ['ECH', 'self', true],
    ['ECH', 'spouse', false],
    ['ESP', 'self', true],
    ['ESP', 'child', false],
    ['EMP', 'self', true],
    ['EMP', 'child', false],
    ['CHD', null, false],
    ['TWO', 'self', false],
  ] as const)(
    'a co-payment, a share, cover and authorization at %s count for %s: %s',
    (level, relationship, counts) => {
      const { copayment, coinsurance, cover, authorization } = summaryOf(
        [`EB*B*${level}*30***27*25****Y*Y`, `EB*A*${level}*30*****.2****Y`, `EB*1*${level}*30*********Y`],
        { relationship },
      ).plan.in_network;
      for (const reading of [copayment, coinsurance, cover, authorization])
        expect(reading).toMatchObject(counts ? { value: expect.any(String) } : { why: 'several' });
    },
  );

  test("an employee's deductible is the subscriber's own; other levels are several, never not said", () => {
    const totals = (level: string, relationship: 'self' | 'child' = 'self') => {
      const { deductible } = summaryOf([`EB*C*${level}*30***23*500*****Y`], { relationship }).plan.in_network;
      return [deductible.individual.total, deductible.family.total];
    };
    expect(totals('EMP')).toEqual([value('500.00', 'calendar_year', 'b0'), gap('not_said')]);
    for (const level of ['ESP', 'ECH', 'SPC', 'SPO', 'CHD', 'DEP', 'TWO', 'Q9'])
      expect(totals(level), level).toEqual([gap('several', 'b0'), gap('several', 'b0')]);
    expect(totals('CHD', 'child')[0]).toEqual(gap('several', 'b0'));
  });
});

describe('which plan the money is of', () => {
  const deductible = (lines: readonly string[], plans: readonly (string | null)[] = ['GOLD PPO 500']) =>
    summaryOf(lines, { plans }).plan.in_network.deductible.individual.total;

  test.each(['GOLD PPO 500', 'gold  ppo-500', 'GOLD', 'GOLD PPO'])('%j is the plan', (name) => {
    expect(deductible([`EB*C*IND*30**${name}*23*1000*****Y`])).toMatchObject({ value: '1000.00' });
  });

  test.each(['DENTAL RIDER 50', 'GOLD PPO 5', 'GOL', 'GOLD PPO 500 DENTAL', 'PPO'])(
    '%j is another',
    (name) => {
      expect(deductible([`EB*C*IND*30**${name}*23*50*****Y`])).toEqual(gap('several', 'b0'));
    },
  );

  test('a name that EB05 cut at 50 characters is the plan', () => {
    const plan = 'OPEN ACCESS PLUS IN-NETWORK WITH HEALTH SAVINGS ACCOUNT 2026';
    expect(deductible([`EB*C*IND*30**${plan.slice(0, 50)}*23*1000*****Y`], [plan])).toMatchObject({
      value: '1000.00',
    });
  });

  test('the beginning of two plans is neither', () => {
    expect(deductible(['EB*C*IND*30**GOLD*23*1000*****Y'], ['GOLD PPO', 'GOLD HMO'])).toEqual(
      gap('several', 'b0'),
    );
  });

  test("another plan's row takes nothing from one that names the plan, or comes before it", () => {
    const rider = 'EB*C*IND*30**DENTAL RIDER 50*23*50*****Y';
    expect(deductible([rider, 'EB*C*IND*30**GOLD*23*1000*****Y'])).toMatchObject({ value: '1000.00' });
    expect(deductible(['EB*C*IND*30***23*1000*****Y', rider])).toMatchObject({ value: '1000.00' });
    expect(deductible([rider, 'EB*C*IND*30***23*1000*****Y'])).toEqual(gap('several', 'b0', 'b1'));
  });
});

describe('the days of a row', () => {
  const copayment = (...dates: readonly string[]) =>
    planOf('EB*B*IND*30***27*25*****Y', ...dates).in_network.copayment;
  const counted = value('25.00', 'visit', 'b0');

  test.each([
    [
      'two benefit years, of which one holds the day',
      ['DTP*292*RD8*20250101-20251231', 'DTP*292*RD8*20260101-20261231'],
    ],
    [
      'two pairs of 348 and 349',
      ['DTP*348*D8*20250101', 'DTP*349*D8*20251231', 'DTP*348*D8*20260101', 'DTP*349*D8*20261231'],
    ],
    [
      'the same in another order',
      ['DTP*349*D8*20261231', 'DTP*349*D8*20251231', 'DTP*348*D8*20260101', 'DTP*348*D8*20250101'],
    ],
    ['an open begin', ['DTP*346*D8*20260101']],
    ['the day that was asked about', ['DTP*291*D8*20261126']],
    ['a last visit', ['DTP*304*D8*20250101']],
  ])('%s: it counts', (_, dates) => {
    expect(copayment(...dates)).toEqual(counted);
  });

  test.each([
    ['a pair that is over', ['DTP*348*D8*20250101', 'DTP*349*D8*20251231']],
    ['a plan that has not begun', ['DTP*346*D8*20270101']],
    ['a gap between two pairs', ['DTP*348*D8*20250101', 'DTP*349*D8*20251231', 'DTP*348*D8*20270101']],
    [
      'one family that holds the day, one that does not',
      ['DTP*346*D8*20260101', 'DTP*348*RD8*20250101-20251231'],
    ],
    ['a benefit end without a begin', ['DTP*346*D8*20250101', 'DTP*349*D8*20260630']],
  ])('%s: it says nothing of the day', (_, dates) => {
    expect(copayment(...dates)).toEqual(gap('not_said'));
  });

  test('an amount as of a time or a benefit year that is over is several', () => {
    expect(copayment('DTP*292*RD8*20250101-20251231')).toEqual(gap('several', 'b0'));
    expect(copayment('DTP*346*D8*20260101', 'DTP*292*RD8*20250101-20251231')).toEqual(gap('several', 'b0'));
    expect(copayment('DTP*193*D8*20260101', 'DTP*194*D8*20261031')).toEqual(gap('several', 'b0'));
    expect(copayment('DTP*193*RD8*20260101-20261031')).toEqual(gap('several', 'b0'));
    expect(copayment('DTP*193*D8*20260101', 'DTP*194*D8*20261231')).toEqual(counted);
  });
});

describe('a procedure', () => {
  const crown = (lines: readonly string[], code = 'D2750') =>
    summaryOf(lines, { codes: [code] }).procedures[0]?.in_network;

  test('has what its own rows say, and what a range says that it is in', () => {
    expect(crown(['EB*A*IND******.5****Y*AD:D2750', 'EB*A*IND*30*****.2****Y'])?.coinsurance).toMatchObject({
      value: '50',
      benefit_ids: ['b0'],
    });
    expect(crown(['EB*A*IND******.5****Y*AD:D2000::::::D2999'])?.coinsurance).toMatchObject({ value: '50' });
  });

  test('with a modifier has the rows of that modifier, else those without', () => {
    const rows = ['EB*B***27**25*****Y*HC:99213:25', 'EB*B***27**40*****Y*HC:99213'];
    const fixed = rows.map((row) => row.replace('EB*B***27**', 'EB*B*****27*'));
    expect(crown(fixed, '99213-25')?.copayment).toMatchObject({ value: '25.00' });
    expect(crown(fixed, '99213')?.copayment).toMatchObject({ value: '40.00' });
    expect(crown(fixed, '99213-59')?.copayment).toMatchObject({ value: '40.00' });
  });

  test('a service without rows has no value of the plan’s', () => {
    expect(crown(['EB*A*IND*30*****.2****Y'])?.coinsurance).toEqual(gap('not_said'));
  });
});

/** Of a row with an amount and a percent. */
const BOTH = 'both';

// Breaks if a summary ever states what no row says, or hides that rows differ.
test('a value is always one that its rows say, and the only one', () => {
  const row = fc
    .tuple(
      fc.constantFrom('B', 'A', 'C', 'G', 'F', '1', 'I'),
      fc.constantFrom('', 'IND', 'FAM'),
      fc.constantFrom('30', '', '98'),
      fc.constantFrom('', '23', '27', '29', '24'),
      fc.constantFrom('', '0', '25', '25.00', '100'),
      fc.constantFrom('', '.2', '0'),
      fc.constantFrom('', 'Y', 'N', 'W'),
    )
    .map(([kind, level, type, period, amount, percent, network]) =>
      ['EB', kind, level, type, '', '', period, amount, percent, '', '', '', network].join('*'),
    );
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), (lines) => {
      const rows = rowsOf(lines);
      const byId = new Map(rows.map((one) => [one.benefit_id, one]));
      const { plan } = summaryOf(lines);
      const networks: (NetworkSummary | null)[] = [
        plan.in_network,
        plan.out_of_network,
        plan.network_not_said,
      ];
      for (const network of networks)
        for (const reading of network ? [network.copayment, network.coinsurance] : []) {
          const said = reading.benefit_ids.map((id) => {
            const one = byId.get(id);
            if (one && one.amount !== null && one.percent !== null) return BOTH;
            return one?.amount ?? one?.percent ?? null;
          });
          if ('value' in reading) expect(new Set(said)).toEqual(new Set([reading.value]));
          else if (reading.why === 'not_said') expect(said.every((one) => one === null)).toBe(true);
          else expect(said.length > 1 || said[0] === BOTH).toBe(true);
        }
    }),
  );
});
