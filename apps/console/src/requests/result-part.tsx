import type { UseQueryResult } from '@tanstack/react-query';
import type { Outputs } from '../api/api.ts';
import { FactList } from '../look/fact-list.tsx';
import { Mark } from '../look/mark.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { Time } from '../look/time.tsx';
import { CHANNELS } from './request-words.ts';
import css from './requests.module.css';

interface ResultPartProps {
  readonly result: UseQueryResult<Outputs['requests']['result'] | null>;
  readonly isPending: boolean;
}

/** What was found out: every coverage of the result that stands. */
export function ResultPart({ result, isPending }: ResultPartProps) {
  if (isPending) return <p className={css.quiet}>None yet. It shows here as soon as it is accepted.</p>;
  return (
    <Loaded query={result} what="result" skeleton={<SkeletonRows count={4} />}>
      {(it) => {
        const coverages = it?.insurance_data ?? [];
        if (coverages.length === 0) return <p className={css.quiet}>No coverage was found out.</p>;
        return coverages.map(({ plan_info: plan, ...coverage }, index) => (
          <div key={coverage.uuid ?? index}>
            <FactList
              facts={[
                [
                  'Eligibility',
                  plan.eligibility_status && (
                    <Mark tone={plan.eligibility_status === 'Active' ? 'good' : 'bad'}>
                      {plan.eligibility_status}
                    </Mark>
                  ),
                ],
                ['Plan', plan.plan_name],
                ['From', plan.start_date],
                ['To', plan.end_date],
                ['Covered', plan.cpt_code_coverage?.join(', ')],
                ['Notes', coverage.notes],
                ['Found by', CHANNELS[coverage.verification_source]],
                ['At', <Time key="at" at={coverage.verification_time} />],
              ]}
            />
          </div>
        ));
      }}
    </Loaded>
  );
}
