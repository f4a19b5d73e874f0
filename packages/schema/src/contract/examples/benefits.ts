import { BenefitReading, summariseBenefits } from '../../benefits/benefit-reading.ts';
import type { Benefit } from '../../benefits/benefit.ts';
import type { CoverageBenefits, RequestBenefits } from '../../benefits/request-benefits.ts';
import type { Schemas } from '../../create-schemas.ts';
import { EXAMPLE_IDS } from './ids.ts';
import { examplePlanData } from './output.ts';

const WHOLE_PLAN: Benefit['service'] = {
  types: [{ code: '30', name: 'The plan' }],
  procedure: null,
  more_procedures: [],
  places: [],
};

/** A row of the example's 271. */
function row(
  index: number,
  segments: string[],
  own: Pick<Benefit, 'kind'> & Partial<Omit<Benefit, 'benefit_id' | 'source'>>,
): Benefit {
  return {
    benefit_id: `b${index}`,
    service: WHOLE_PLAN,
    network: 'in',
    level: 'individual',
    amount: null,
    percent: null,
    quantity: null,
    period: null,
    remaining: false,
    authorization: null,
    frequency: [],
    insurance_type: null,
    plan: null,
    dates: [],
    related: [],
    references: [],
    texts: [],
    source: { kind: 'x12', row: index, loop: 'patient', segments },
    ...own,
  };
}

const ROWS: Benefit[] = [
  row(0, ['EB*1*IND*30*PR*PPO GOLD'], {
    kind: 'active',
    network: null,
    insurance_type: { code: 'PR', slug: 'ppo' },
    plan: 'PPO GOLD',
  }),
  row(1, ['EB*C*IND*30***23*50*****Y'], { kind: 'deductible', amount: '50.00', period: 'calendar_year' }),
  row(2, ['EB*C*IND*30***29*0*****Y'], {
    kind: 'deductible',
    amount: '0.00',
    period: 'remaining',
    remaining: true,
  }),
  row(3, ['EB*F*IND*35***23*1500*****Y'], {
    kind: 'limitation',
    service: { ...WHOLE_PLAN, types: [{ code: '35', name: 'Dental care' }] },
    amount: '1500.00',
    period: 'calendar_year',
  }),
  row(4, ['EB*A*IND******0*VS*2*N*Y*AD:D1110', 'HSD*VS*2***23*1'], {
    kind: 'coinsurance',
    service: {
      ...WHOLE_PLAN,
      types: [],
      procedure: { system: 'cdt', code: 'D1110', last_code: null, modifiers: [] },
    },
    percent: '0',
    quantity: { value: '2', unit: 'visits' },
    authorization: 'not_required',
    frequency: [
      {
        count: '2',
        unit: 'visits',
        rate: null,
        every: null,
        every_unit: null,
        period: 'calendar_year',
        period_count: '1',
        pattern: null,
        pattern_time: null,
      },
    ],
  }),
];

/** The one coverage of the example's patient, with these rows. */
function coverageOf(schemas: Schemas, said: Partial<CoverageBenefits>): CoverageBenefits {
  const { plan_info: plan } = examplePlanData(schemas);
  const { benefits = [], relationship = null } = said;
  const reading = new BenefitReading(benefits, {
    plans: [plan.plan_name ?? null],
    entry: 0,
    status: plan.eligibility_status ?? null,
    relationship,
    serviceDate: '2026-11-20',
  });
  const procedures = ['D0120', 'D1110'].map((code) => ({ code, texts: [code], modifiers: [] }));
  return {
    entry: 0,
    plan_name: plan.plan_name ?? null,
    eligibility_status: plan.eligibility_status ?? null,
    group_number: null,
    relationship,
    order: null,
    benefits,
    unanswered: [],
    summary: summariseBenefits(reading, ['30', '35'], procedures),
    ...said,
  };
}

/** The benefits of the example's request. `said`: what its first coverage has; by default the rows of a 271. */
export function exampleBenefits(
  schemas: Schemas,
  said: Partial<CoverageBenefits> = {
    group_number: '70112',
    relationship: 'self',
    benefits: ROWS,
    unanswered: [{ procedure: 'D0120' }],
  },
): RequestBenefits {
  return {
    request_id: EXAMPLE_IDS.request,
    version: 1,
    verification_source: 'api',
    verification_time: examplePlanData(schemas).verification_time,
    service_date: '2026-11-20',
    left_out: 0,
    coverages: [coverageOf(schemas, said)],
  };
}
