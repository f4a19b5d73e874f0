import type { Outputs } from '../api/api.ts';

export interface ComparedRow {
  readonly name: string;
  readonly asked: string;
  readonly standing: string;
  readonly offered: string;
  /** Which of the first two the offered value differs from; empty where it agrees with what there is. */
  readonly differsFrom: readonly ('asked' | 'standing')[];
}

interface Compared {
  readonly request: Outputs['requests']['get'] | null;
  readonly result: Outputs['requests']['result'] | null;
  readonly held: Outputs['heldOutputs']['get'];
}

type Input = Outputs['requests']['get']['input'];
type Coverage = NonNullable<Outputs['requests']['result']['insurance_data']>[number];

const INPUT: readonly (readonly [string, (input: Input) => string | null | undefined])[] = [
  ['Member id', ({ patient_info: it }) => it.subscriber_id],
  ['Born', ({ patient_info: it }) => it.dob],
  ['Patient', ({ patient_info: it }) => it.name],
  ['Payer', ({ payer_info: it }) => it.name],
  ['NPI', ({ provider_info: it }) => it.npi],
];

const COVERAGE: readonly (readonly [string, (coverage: Coverage) => string | null | undefined])[] = [
  ['Member id at the payer', ({ patient_info: it }) => it.subscriber_id],
  ['Eligibility', ({ plan_info: it }) => it.eligibility_status],
  ['Plan', ({ plan_info: it }) => it.plan_name],
  ['From', ({ plan_info: it }) => it.start_date],
  ['To', ({ plan_info: it }) => it.end_date],
  ['Covered', ({ plan_info: it }) => it.cpt_code_coverage?.join(', ')],
  ['Notes', ({ notes }) => notes],
];

/** What was asked, what stands and what is offered, value by value: the request's, then each coverage's. */
export function compareHeld({ request, result, held }: Compared): ComparedRow[] {
  const asked = INPUT.map(([name, of]) =>
    row(name, {
      asked: request && of(request.input),
      standing: null,
      offered: of(held.output.request.input),
    }),
  );
  const offered = held.output.insurance_data ?? [];
  const standing = result?.insurance_data ?? [];
  const count = Math.max(offered.length, standing.length);
  const found = Array.from({ length: count }, (_, index) =>
    COVERAGE.map(([name, of]) => {
      const at = (list: readonly Coverage[]) => (list[index] ? (of(list[index]) ?? '') : null);
      const label = count > 1 ? `${name}, coverage ${index + 1}` : name;
      return row(label, { asked: null, standing: result && (at(standing) ?? ''), offered: at(offered) });
    }),
  );
  return [...asked, ...found.flat()].filter((one) => one.asked || one.standing || one.offered);
}

interface Values {
  /** Null where there is nothing to compare with. */
  readonly asked: string | null | undefined;
  readonly standing: string | null | undefined;
  readonly offered: string | null | undefined;
}

function row(name: string, { asked, standing, offered }: Values): ComparedRow {
  const differs = (other: string | null | undefined) => other !== null && (other ?? '') !== (offered ?? '');
  return {
    name,
    asked: asked ?? '',
    standing: standing ?? '',
    offered: offered ?? '',
    differsFrom: [
      ...(differs(asked) ? (['asked'] as const) : []),
      ...(differs(standing) ? (['standing'] as const) : []),
    ],
  };
}

/** The differences in one sentence. */
export function differencesText(rows: readonly ComparedRow[]): string {
  const names = rows
    .filter(({ differsFrom }) => differsFrom.length > 0)
    .map(({ name }) => name.toLowerCase());
  if (names.length === 0) return 'Nothing differs.';
  const last = names.pop();
  return names.length === 0
    ? `Only the ${last} differs.`
    : `The ${names.join(', the ')} and the ${last} differ.`;
}
