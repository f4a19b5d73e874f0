import { describe, expect, test } from 'vitest';
import { readFinding, readSample, sampleAnswer } from '../src/index.ts';
import { a271, aContext, aSubscriber, PROVIDER, REQUEST_ID } from './a-271.ts';
import { benefitsOf, rowsOf, segmentsOf } from './benefits-of.ts';
import { expectWhole } from './expect-whole.ts';

const onlyOf = (body: string) => {
  const [entry] = benefitsOf(a271(aSubscriber(body)));
  if (!entry) throw new Error('The answer has no entry');
  return entry;
};

test('a row has all that its segments say', () => {
  const segments = [
    'EB*B*IND*98^UC*HM*GOLD*27*25**VS*3*Y*Y*HC:99213:25::::*1',
    'HSD*VS*30*MO*2*23*1*A*B',
    'REF*18*PLAN-7*GOLD PLAN',
    'REF*9F*REFERRAL',
    'DTP*292*RD8*20260101-20261231',
    'III*ZZ*11',
    'III*BK*8901',
    'MSG*SPECIALIST',
    'MSG*SEE THE CARD',
    'LS*2120',
    'NM1*P3*1*WELBY*MARCUS****XX*1234567893',
    'N3*1 OAK AVE',
    'N4*SPRINGFIELD*IL*62701',
    'PER*IC*DESK*TE*8005551212*UR*payer.example',
    'LE*2120',
  ];
  const { benefits } = onlyOf(`EB*1**30\n${segments.join('\n')}`);
  expect(benefits[1]).toEqual({
    benefit_id: 'b1',
    kind: 'copayment',
    service: {
      types: [
        { code: '98', name: 'Office visit' },
        { code: 'UC', name: 'Urgent care' },
      ],
      procedure: { system: 'cpt_hcpcs', code: '99213', last_code: null, modifiers: ['25'] },
      more_procedures: [],
      places: [{ code: '11', name: 'Office' }],
    },
    network: 'in',
    level: 'individual',
    amount: '25.00',
    percent: null,
    quantity: { value: '3', unit: 'visits' },
    period: 'visit',
    remaining: false,
    authorization: 'required',
    frequency: [
      {
        count: '30',
        unit: 'visits',
        rate: { count: '2', per: 'months' },
        every: null,
        every_unit: null,
        period: 'calendar_year',
        period_count: '1',
        pattern: 'A',
        pattern_time: 'B',
      },
    ],
    insurance_type: { code: 'HM', slug: 'hmo' },
    plan: 'GOLD',
    dates: [{ kind: 'benefit', start: '2026-01-01', end: '2026-12-31' }],
    related: [
      {
        role: 'primary_care_provider',
        name: 'MARCUS WELBY',
        id: '1234567893',
        phone: '8005551212',
        address: '1 OAK AVE, SPRINGFIELD, IL 62701',
      },
    ],
    references: [
      { kind: 'plan_number', value: 'PLAN-7', description: 'GOLD PLAN' },
      { kind: 'referral_number', value: 'REFERRAL', description: null },
    ],
    texts: ['SPECIALIST', 'SEE THE CARD'],
    source: { kind: 'x12', row: 1, loop: 'patient', segments },
  });
});

describe('numbers are text, exact', () => {
  test.each([
    ['0', '0.00', '0'],
    ['.2', '0.20', '20'],
    ['0.125', '0.125', '12.5'],
    ['1', '1.00', '100'],
    ['1.0', '1.00', '100'],
    ['20', '20.00', '20'],
    ['007.10', '7.10', '7.1'],
    ['1500', '1500.00', '1500'],
    ['0.0', '0.00', '0'],
    ['-5', null, null],
    ['FREE', null, null],
    ['1,500', null, null],
    ['.', null, null],
  ])('%s is %s dollars, %s percent', (text, amount, percent) => {
    const { benefits } = onlyOf(`EB*1**30\nEB*C*IND*30***23*${text}\nEB*A*IND*30*****${text}`);
    expect(benefits[1]?.amount).toBe(amount);
    expect(benefits[2]?.percent).toBe(percent);
  });
});

test('of an answer that is too long the first rows are kept, and the others counted', () => {
  const leftOut = (rows: readonly string[]) => {
    const finding = readFinding(a271(aSubscriber(rows.join('\n'))), aContext());
    if (finding.kind !== 'result') throw new Error('The answer is no result');
    return [finding.benefits.flatMap(({ rows: kept }) => kept).length, finding.leftOut];
  };
  expect(leftOut(Array.from({ length: 2_001 }, () => 'EB*1**30'))).toEqual([2_000, 1]);
  const long = ['EB*1**30', ...Array.from({ length: 20 }, () => `MSG*${'A'.repeat(5_000)}`)].join('\n');
  expect(leftOut([long, long, long, 'EB*1**30'])).toEqual([2, 2]);
});

describe('what is above the rows', () => {
  const DEPENDENT = (body: string, subscribers = '') => `${PROVIDER}
HL*3*2*22*1
TRN*2*${REQUEST_ID}*9IVSERVICE
NM1*IL*1*DOE*JOHN****MI*W123456789
REF*6P*70112
${subscribers}
HL*4*3*23*0
NM1*03*1*DOE*JANE
DMG*D8*19840517*F
INS*N*19
${body}`;

  test('the group, the relationship and the order', () => {
    expect(onlyOf('REF*6P*70112\nEB*1**30*MP')).toMatchObject({
      group_number: '70112',
      relationship: 'self',
      order: 'primary',
    });
    const [child] = benefitsOf(a271(DEPENDENT('EB*1**30')));
    expect(child).toMatchObject({ group_number: '70112', relationship: 'child', order: null });
    expect(child?.benefits[0]?.source).toMatchObject({ loop: 'patient' });
  });

  test('rows that the payer says only of the subscriber are marked', () => {
    const [child] = benefitsOf(a271(DEPENDENT('', 'EB*1**30\nEB*B**98****25')));
    expect(child?.benefits.map(({ source }) => source)).toMatchObject([
      { loop: 'subscriber' },
      { loop: 'subscriber' },
    ]);
    expect(child?.relationship).toBe('child');
  });

  test('another payer has its own group and order', () => {
    const [, other] = benefitsOf(
      a271(
        aSubscriber('REF*6P*70112\nEB*1**30\nEB*R**30\nREF*6P*9\nLS*2120\nNM1*SEP*2*BETA*****PI*2\nLE*2120'),
      ),
    );
    expect(other).toMatchObject({ group_number: '9', relationship: null, order: 'secondary' });
  });
});

describe('the samples', () => {
  test.each(['medical', 'dental', 'medicare'] as const)('%s is active on every day of its year', (name) => {
    for (const day of ['2026-01-01', '2026-06-30', '2026-12-31'])
      expect(readSample(name, day).insuranceData[0]?.plan_info.eligibility_status).toBe('Active');
  });

  test.each(['medical', 'dental', 'medicare'] as const)('%s is read whole, each row in its place', (name) => {
    const lines = sampleAnswer(name, 2026).map((segment) =>
      segment.map((element) => (typeof element === 'string' ? element : element?.join(':'))).join('*'),
    );
    const text = a271(aSubscriber(lines.join('\n')));
    expectWhole(text);
    const rows = rowsOf(benefitsOf(text));
    expect(rows).toHaveLength(lines.filter((line) => line.startsWith('EB*')).length);
    for (const row of rows) {
      const [eb = ''] = segmentsOf(row);
      expect(row.kind, eb).not.toBe('unknown');
      expect(
        row.service.types.every((type) => type.name !== null),
        eb,
      ).toBe(true);
      const isCounted = /\*(VS|DY|S7|LA)\*\d/.test(eb);
      expect(row.quantity !== null, eb).toBe(isCounted);
      const isMoney = /^EB\*[ABCG]/.test(eb);
      expect(row.amount !== null || row.percent !== null, eb).toBe(
        isMoney || (row.kind === 'limitation' && !isCounted),
      );
    }
  });
});
