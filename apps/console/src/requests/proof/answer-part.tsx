import { FactList } from '../../look/fact-list.tsx';
import { Mark } from '../../look/mark.tsx';
import { reasonText } from '../../words/reason-words.ts';
import { CHANNELS } from '../../words/request-words.ts';
import { groupsOf } from '../one/benefits/benefit-lines.ts';
import { type Benefit, type Coverage, kindText, serviceText } from '../one/benefits/benefit-words.ts';
import { CoverageSummary, Lines } from '../one/benefits/benefits-part.tsx';
import benefitsCss from '../one/benefits/benefits.module.css';
import type { Proof } from './parts.tsx';
import css from './proof.module.css';
import { Stamp } from './stamp.tsx';

interface AnswerPartProps {
  readonly proof: Proof;
  /** With the patient, and the words that may name them; null before they are shown. */
  readonly result: Proof['result'];
  readonly benefits: Proof['benefits'];
}

/** What was answered, a block for each coverage. */
export function AnswerPart({ proof, result, benefits }: AnswerPartProps) {
  const { coverages } = proof;
  return (
    <section className={css.part}>
      <h2>What was answered</h2>
      {coverages.length === 0 && <p>{whyNot(proof)}</p>}
      {coverages.map(({ plan_info: plan, ...coverage }, index) => {
        const said = benefits?.coverages.find(({ entry }) => entry === index);
        const stands = result?.insurance_data[index];
        // A newer result may have come since the proof was read.
        const revealed = stands?.verification_time === coverage.verification_time ? stands : null;
        const whom = revealed?.patient_info;
        return (
          <div key={`${coverage.verification_time}${index}`} className={css.coverage}>
            <div>
              <FactList
                facts={[
                  [
                    'Eligibility',
                    plan.eligibility_status && (
                      <Mark key="status" tone={plan.eligibility_status === 'Active' ? 'good' : 'bad'}>
                        {plan.eligibility_status}
                      </Mark>
                    ),
                  ],
                  ['Plan', plan.plan_name],
                  ['Group', said?.group_number],
                  ['Relationship', said?.relationship?.replaceAll('_', ' ')],
                  ['Order', said?.order && `${said.order} payer`],
                  ['From', plan.start_date],
                  ['To', plan.end_date],
                  ['Covered', plan.cpt_code_coverage?.join(', ')],
                  [
                    'Payer’s patient',
                    whom && [whom.name, whom.dob, whom.subscriber_id].filter(Boolean).join(', '),
                  ],
                  ['Notes', revealed?.notes],
                  ['Found by', CHANNELS[coverage.verification_source]],
                  ['Answered', <Stamp key="at" at={coverage.verification_time} />],
                ]}
              />
            </div>
            {said && said.benefits.length > 0 && <Said coverage={said} />}
          </div>
        );
      })}
      {!benefits && coverages.length > 0 && (
        <p className={css.quiet}>What was said beside it is shown with the patient.</p>
      )}
      {benefits && benefits.left_out > 0 && <p>{benefits.left_out} more rows are in the 271 only.</p>}
    </section>
  );
}

/** In the sentence of who found it out; of a request that was closed, in the words of the reason. */
function whyNot({ attempt, state, error_reason: reason }: Proof): string {
  if (attempt?.explanation) return `Could not verify. ${attempt.explanation}`;
  // Otherwise the reason is why it was not delivered.
  return state === 'error_verifying' && reason
    ? `Could not verify: ${reasonText(reason)}.`
    : 'Could not verify.';
}

/** As on the request's page, with all of it open, and the words of rows that no list has. */
function Said({ coverage }: { readonly coverage: Coverage }) {
  const groups = groupsOf(coverage.benefits);
  const listed = new Set([
    ...[groups.collect, groups.limits, groups.refused, groups.outOfNetwork].flat().flatMap(({ ids }) => ids),
    ...groups.others.map((benefit) => benefit.benefit_id),
  ]);
  const others = coverage.benefits.filter(({ benefit_id: id, texts }) => texts.length > 0 && !listed.has(id));
  return (
    <div className={`${benefitsCss.coverage} ${css.said}`}>
      <CoverageSummary coverage={coverage} />
      <Lines title="Out of network" lines={groups.outOfNetwork} />
      {others.length > 0 && (
        <div>
          <h3>In the payer’s words</h3>
          <ul>
            {others.map((benefit) => (
              <li key={benefit.benefit_id}>{wordsOf(benefit)}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

const wordsOf = (benefit: Benefit) =>
  `${kindText(benefit)}, ${serviceText(benefit)}: ${benefit.texts.join(' · ')}`;
