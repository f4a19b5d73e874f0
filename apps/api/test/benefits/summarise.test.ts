import type { NetworkSummary } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { askedProcedures, askedServiceTypes, readKeptRows } from '@insurance-verification/x12';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { summarise } from '../../src/benefits/summarise.ts';

/** Rows as a payer sends them; what begins with another segment than EB belongs to the row before it. */
function rowsOf(...lines: readonly string[]) {
  const rows: string[][] = [];
  for (const line of lines) {
    if (line.startsWith('EB')) rows.push([line]);
    else rows.at(-1)?.push(line);
  }
  return readKeptRows(
    rows.map((segments, row) => ({ row, loop: 'patient' as const, delimiters: '*:^', segments })),
  );
}

function summaryOf(lines: readonly string[], codes: readonly string[] = []) {
  const request = aRequest({ cpt_code_coverage: [...codes] });
  const asked = { procedures: askedProcedures(request), types: askedServiceTypes(request) };
  return summarise(rowsOf(...lines), asked, '2026-11-26');
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

  test('the family beside the individual, whichever comes first', () => {
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

  test('tiers that stand in messages are several', () => {
    const { copayment } = planOf(
      'EB*B**30***27*25*****Y',
      'MSG*TIER 1',
      'EB*B**30***27*50*****Y',
      'MSG*TIER 2',
    ).in_network;
    expect(copayment).toEqual(gap('several', 'b0', 'b1'));
  });

  test('a row for either network beside one for out of it', () => {
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

test('dental care is summed up beside the plan where dental codes are asked for', () => {
  const rows = ['EB*F*IND*35***23*1500*****Y', 'EB*F*IND*35***29*1120*****Y'];
  expect(summaryOf(rows).service_types).toEqual([]);
  expect(summaryOf(rows, ['D0120']).service_types).toMatchObject([
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

test('a limit of visits leaves the percent one reading, an age does not', () => {
  const own = (row: string) => planOf(row, 'HSD*VS*2***23*1').in_network.coinsurance;
  expect(own('EB*A**30*****.5*VS*2**Y')).toMatchObject({ value: '50' });
  expect(own('EB*A**30*****.5*S7*19**Y')).toEqual(gap('several', 'b0'));
});

describe('a procedure', () => {
  const crown = (lines: readonly string[], code = 'D2750') =>
    summaryOf(lines, [code]).procedures[0]?.in_network;

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

  test('of which nothing is said has no value of the plan’s', () => {
    expect(crown(['EB*A*IND*30*****.2****Y'])?.coinsurance).toEqual(gap('not_said'));
  });
});

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
      const rows = rowsOf(...lines);
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
            return one?.amount ?? one?.percent ?? null;
          });
          if ('value' in reading) expect(new Set(said)).toEqual(new Set([reading.value]));
          else if (reading.why === 'not_said') expect(said.every((one) => one === null)).toBe(true);
          else expect(said.length).toBeGreaterThan(1);
        }
    }),
  );
});
