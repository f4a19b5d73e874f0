import { BENEFIT_KINDS } from '@insurance-verification/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { a271, aSubscriber } from './a-271.ts';
import { benefitsOf, rowsOf, segmentsOf } from './benefits-of.ts';
import { expectWhole } from './expect-whole.ts';
import { allFixtures } from './fixtures/all-fixtures.ts';
import { arbitraryAnswer } from './fuzz/arbitrary-answer.ts';

const RUNS = Number(process.env['FUZZ_CASES'] ?? 1_000);

describe('every row of the patient is one benefit, and its segments are the text', () => {
  test.each(Object.entries(allFixtures))('of the fixtures: %s', (_, fixtures) => {
    for (const { text, context } of fixtures) expectWhole(text, context);
  });

  test(`of any text (${RUNS} cases)`, () => {
    fc.assert(
      fc.property(arbitraryAnswer, (text) => expectWhole(text)),
      { numRuns: RUNS },
    );
  });

  test('of another payer named twice in one row: the first entry has it', () => {
    const found = benefitsOf(
      a271(
        aSubscriber(
          'EB*1**30\nEB*R**30\nLS*2120\nNM1*PRP*2*ALPHA*****PI*1\nNM1*SEP*2*BETA*****PI*2\nLE*2120',
        ),
      ),
    );
    expect(found.map(({ benefits }) => benefits.length)).toEqual([1, 1, 0]);
  });
});

describe('each member can be made from the segments again', () => {
  const pick = (...codes: string[]) => fc.constantFrom('', ...codes);
  const digits = fc.oneof(
    fc.constant(''),
    fc.integer({ min: 0, max: 99_999 }).map(String),
    fc.integer({ min: 0, max: 9_999 }).map((cents) => (cents / 100).toFixed(2)),
    fc.integer({ min: 0, max: 99 }).map((cents) => `.${String(cents).padStart(2, '0')}`),
  );
  const CODES = '1 2 3 4 5 6 7 8 A B C CB D E F G H I J K L M MC N O P Q R S T U V W X Y Q9'.split(' ');
  const eb = fc
    .tuple(
      fc.constantFrom(...CODES),
      pick('IND', 'FAM', 'ESP', 'ZZZ'),
      fc.array(fc.constantFrom('30', '98', '35', 'UC', 'Q0'), { maxLength: 3 }).map((some) => some.join('^')),
      pick('HM', 'MA', '12', 'Q8'),
      pick('GOLD', 'SILVER'),
      pick('23', '27', '29', '33', '99'),
      digits,
      digits,
      pick('VS', 'S7', 'Q7'),
      digits,
      pick('Y', 'N', 'U'),
      pick('Y', 'N', 'W', 'U'),
      pick('HC:99213', 'AD:D2750', 'HC:99211::::::99215'),
    )
    .map((elements) => `EB*${elements.join('*')}`);
  const rest = fc.array(
    fc.oneof(
      fc
        .tuple(pick('VS', 'DY'), digits, pick('MO', 'YR'), digits, pick('23', '34'), digits)
        .map((some) => `HSD*${some.join('*')}`),
      fc.constantFrom(
        'III*ZZ*11',
        'III*ZZ*Q1',
        'III*BK*8901',
        'MSG*TIER 1',
        'DTP*292*D8*20260101',
        'REF*6P*G1',
        'AAA*N**33*C',
      ),
    ),
    { maxLength: 4 },
  );
  const numberOf = (text: string | undefined) => (text === undefined || text === '' ? null : Number(text));
  const asNumber = (text: string | null | undefined) =>
    text === null || text === undefined ? null : Number(text);

  test(`of generated answers (${RUNS} cases)`, () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(eb, rest), { minLength: 1, maxLength: 8 }), (rows) => {
        const body = `EB*1**30\n${rows.flat(2).join('\n')}`;
        const text = a271(aSubscriber(body));
        expectWhole(text);
        for (const benefit of rowsOf(benefitsOf(text)).slice(1)) {
          const [first = '', ...others] = segmentsOf(benefit);
          const [
            ,
            kind = '',
            level,
            types = '',
            type,
            plan,
            period,
            amount,
            percent,
            ,
            quantity,
            auth,
            network,
            code,
          ] = first.split('*');
          expect(benefit.kind === 'unknown').toBe(kind === 'Q9');
          expect(BENEFIT_KINDS).toHaveProperty(benefit.kind);
          expect(benefit.level === null).toBe(!level);
          expect(benefit.service.types.map((one) => one.code)).toEqual(types === '' ? [] : types.split('^'));
          expect(benefit.insurance_type?.code ?? '').toBe(type ?? '');
          expect(benefit.plan ?? '').toBe(plan ?? '');
          expect(benefit.remaining).toBe(period === '29' || period === '33');
          expect(benefit.period === null).toBe(!period);
          expect(asNumber(benefit.amount)).toBe(numberOf(amount));
          const fraction = numberOf(percent);
          const percents =
            fraction !== null && fraction > 1 ? fraction : fraction === null ? null : fraction * 100;
          expect(asNumber(benefit.percent) === null).toBe(percents === null);
          if (percents !== null) expect(asNumber(benefit.percent)).toBeCloseTo(percents, 6);
          expect(asNumber(benefit.quantity?.value)).toBe(numberOf(quantity));
          expect(benefit.authorization).toBe({ Y: 'required', N: 'not_required' }[auth ?? ''] ?? null);
          expect(benefit.network).toBe({ Y: 'in', N: 'out', W: 'either' }[network ?? ''] ?? null);
          expect(benefit.service.procedure?.code ?? '').toBe(code?.split(':')[1] ?? '');
          expect(benefit.service.procedure?.last_code ?? '').toBe(code?.split(':')[7] ?? '');
          const having = (id: string) => others.filter((segment) => segment.startsWith(`${id}*`));
          expect(benefit.frequency).toHaveLength(having('HSD').length);
          expect(benefit.texts).toHaveLength(having('MSG').length);
          expect(benefit.dates).toHaveLength(having('DTP').length);
          expect(benefit.references).toHaveLength(having('REF').length);
          expect(benefit.service.places).toHaveLength(having('III*ZZ').length);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
