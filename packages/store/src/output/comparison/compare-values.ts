import type { ComparedValue, InsurancePlanData, RequestInfo } from '@insurance-verification/schema';
import { differenceOf } from './difference-of.ts';

interface Compared {
  /** Null without a request to compare with. */
  readonly asked: RequestInfo | null;
  /** Null without a result. */
  readonly standing: readonly InsurancePlanData[] | null;
  readonly claimed: RequestInfo;
  readonly offered: readonly InsurancePlanData[];
}

type Value = string | null | undefined;

const INPUT: readonly (readonly [string, string, (input: RequestInfo) => Value])[] = [
  ['patient_info/subscriber_id', 'Member id', ({ patient_info: it }) => it.subscriber_id],
  ['patient_info/dob', 'Date of birth', ({ patient_info: it }) => it.dob],
  ['patient_info/name', 'Patient', ({ patient_info: it }) => it.name],
  ['payer_info/name', 'Payer', ({ payer_info: it }) => it.name],
  ['provider_info/npi', 'NPI', ({ provider_info: it }) => it.npi],
  ['cpt_code_coverage', 'Codes', ({ cpt_code_coverage: codes }) => codes?.join(', ')],
];

/** The values of a coverage, beside those of the request that they answer. */
const COVERAGE: readonly (readonly [
  string,
  string,
  (coverage: InsurancePlanData) => Value,
  ((input: RequestInfo) => Value)?,
])[] = [
  [
    'patient_info/subscriber_id',
    'Member id at the payer',
    ({ patient_info: it }) => it.subscriber_id,
    ({ patient_info: it }) => it.subscriber_id,
  ],
  [
    'patient_info/dob',
    'Date of birth at the payer',
    ({ patient_info: it }) => it.dob,
    ({ patient_info: it }) => it.dob,
  ],
  ['plan_info/eligibility_status', 'Eligibility', ({ plan_info: it }) => it.eligibility_status],
  ['plan_info/plan_name', 'Plan', ({ plan_info: it }) => it.plan_name],
  ['plan_info/start_date', 'Start date', ({ plan_info: it }) => it.start_date],
  ['plan_info/end_date', 'End date', ({ plan_info: it }) => it.end_date],
  ['plan_info/cpt_code_coverage', 'Covered codes', ({ plan_info: it }) => it.cpt_code_coverage?.join(', ')],
  ['notes', 'Notes', ({ notes }) => notes],
];

/** What was asked, what stands and what is offered, value by value: the request's, then each coverage's. */
export function compareValues({ asked, standing, claimed, offered }: Compared): ComparedValue[] {
  const ofRequest = INPUT.map(([path, name, of]) =>
    compared(`/request/input/${path}`, name, {
      asked: asked && orNull(of(asked)),
      standing: undefined,
      offered: orNull(of(claimed)),
    }),
  );
  const count = Math.max(offered.length, standing?.length ?? 0);
  const ofCoverages = Array.from({ length: count }, (_, index) =>
    COVERAGE.map(([path, name, of, ofInput]) => {
      const [stands, offers] = [standing?.[index], offered[index]];
      return compared(
        `/insurance_data/${index}/${path}`,
        count > 1 ? `${name}, coverage ${index + 1}` : name,
        {
          asked:
            asked && ofInput && offers && orNull(of(offers)) !== null ? orNull(ofInput(asked)) : undefined,
          standing: standing === null ? undefined : orNull(stands && of(stands)),
          offered: orNull(offers && of(offers)),
        },
      );
    }),
  );
  return [...ofRequest, ...ofCoverages.flat()].filter(
    (value) => value.asked !== null || value.standing !== null || value.offered !== null,
  );
}

const orNull = (value: Value): string | null => value ?? null;

interface Sides {
  /** Undefined where there is nothing to compare with. */
  readonly asked: string | null | undefined;
  readonly standing: string | null | undefined;
  readonly offered: string | null;
}

function compared(field: string, name: string, { asked, standing, offered }: Sides): ComparedValue {
  return {
    field,
    name,
    asked: asked ?? null,
    standing: standing ?? null,
    offered,
    asked_difference: asked === undefined || asked === null ? 'none' : differenceOf(asked, offered),
    standing_difference: standing === undefined ? 'none' : differenceOf(standing, offered),
  };
}
