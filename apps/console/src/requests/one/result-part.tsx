import type { Outputs } from '../../api/api.ts';
import { FactList } from '../../look/fact-list.tsx';
import { Mark } from '../../look/mark.tsx';
import { Time } from '../../look/time/time.tsx';
import { CHANNELS } from '../../words/request-words.ts';
import css from './request.module.css';

interface ResultPartProps {
  readonly view: Outputs['requests']['view'];
  /** The result with the patient data, once it is shown; null before. */
  readonly revealed: Outputs['requests']['reveal'] | null;
}

/** The coverages of the present result. Notes may hold patient data, and are shown with it. */
export function ResultPart({ view: { state, coverages }, revealed }: ResultPartProps) {
  if (state === 'pending')
    return <p className={css.quiet}>None yet. It shows here as soon as it is accepted.</p>;
  if (coverages.length === 0) return <p className={css.quiet}>No coverage was verified.</p>;
  return coverages.map(({ plan_info: plan, ...coverage }, index) => (
    <FactList
      key={`${coverage.verification_time}${index}`}
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
        ['Notes', notesOf(revealed, coverage.verification_time, index)],
        ['Found by', CHANNELS[coverage.verification_source]],
        ['At', <Time key="at" at={coverage.verification_time} />],
      ]}
    />
  ));
}

/** The same coverage with patient data: a newer result may have arrived since that was read. */
function notesOf(revealed: ResultPartProps['revealed'], at: string, index: number) {
  const coverage = revealed?.insurance_data[index];
  if (coverage?.verification_time !== at || !coverage.notes) return null;
  return <span className={css.notes}>{coverage.notes}</span>;
}
