import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { api } from '../../api/api.ts';
import { failureOf } from '../../api/failure.ts';
import { Button } from '../../look/button.tsx';
import { FactList } from '../../look/fact-list.tsx';
import layoutCss from '../../look/layout.module.css';
import { Loaded, SkeletonRows } from '../../look/loaded.tsx';
import { Mark } from '../../look/mark.tsx';
import { Empty, FailureNotice } from '../../look/notice.tsx';
import { Page } from '../../look/page.tsx';
import { useMe } from '../../session/use-me.ts';
import { reasonText } from '../../words/reason-words.ts';
import { CHANNELS } from '../../words/request-words.ts';
import { type Benefit, type Coverage, groupsOf, kindText, serviceText } from '../one/benefit-lines.ts';
import { CoverageSummary, Lines, NetworkNote } from '../one/benefits-part.tsx';
import benefitsCss from '../one/benefits.module.css';
import { AboutPart, AskedPart, FoundPart, type Proof, RecordPart, Stamp } from './parts.tsx';
import css from './proof.module.css';

/** `/requests/{request_id}/proof`: what a clinic files against a denial, on one sheet or two. */
export function ProofPage({ requestId }: { readonly requestId: string }) {
  const { proof, reveal } = useProof(requestId);
  const { data, error } = proof;
  const { data: me } = useMe();
  if (error && failureOf(error).code === 'result_not_ready')
    return (
      <Page title="Proof of verification">
        <Empty title="Nothing to prove yet">
          The <Link href={`/requests/${requestId}`}>request</Link> has no result yet.
        </Empty>
      </Page>
    );
  const patient = (data?.result ?? reveal.data?.result)?.request.input.patient_info ?? null;
  return (
    <Page
      title="Proof of verification"
      actions={
        data && (
          <>
            {!patient && (
              <Button disabled={reveal.isPending} onClick={() => reveal.mutate()}>
                Show the patient
              </Button>
            )}
            <Button kind="primary" onClick={() => window.print()}>
              Print
            </Button>
          </>
        )
      }
    >
      <Loaded query={proof} what="request" skeleton={<SkeletonRows count={12} />}>
        {(it) => (
          <>
            <p className={css.screen}>
              <Link href={`/requests/${requestId}`}>The request</Link>
              {!patient && <span> That you show the patient is in the access log.</span>}
            </p>
            {reveal.error && <FailureNotice error={reveal.error} />}
            <article className={css.proof}>
              <Part title="Who was asked about">
                <AboutPart patient={patient} />
              </Part>
              <Part title="What was asked">
                <AskedPart proof={it} />
              </Part>
              <AnswerPart
                proof={it}
                result={it.result ?? reveal.data?.result ?? null}
                benefits={it.benefits ?? reveal.data?.benefits ?? null}
              />
              <Part title="How it was verified">
                <FoundPart proof={it} attempt={reveal.data?.attempt ?? it.attempt} />
              </Part>
              <Part title="On record">
                <RecordPart
                  proof={it}
                  readAt={new Date(proof.dataUpdatedAt).toISOString()}
                  readBy={me?.name}
                />
              </Part>
            </article>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={css.part}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** The proof of a request's verification, and what it keeps back once somebody asked. Each reading is in the access log. */
function useProof(requestId: string) {
  const input = { request_id: requestId };
  const proof = useQuery({
    queryKey: ['proof', requestId],
    queryFn: ({ signal }) => api.requests.proof.query(input, { signal }),
  });
  const version = proof.data?.version;
  const reveal = useMutation({
    mutationFn: async () => {
      const [result, benefits, attempts] = await Promise.all([
        api.requests.reveal.mutate(input),
        api.requests.benefits.query({ ...input, ...(version !== undefined && { version }) }),
        api.requests.attempts.query(input),
      ]);
      return { result, benefits, attempt: attempts.items.find((one) => one.result_version === version) };
    },
  });
  return { proof, reveal };
}

interface AnswerPartProps {
  readonly proof: Proof;
  /** With the patient, and the words that may name them; null before they are shown. */
  readonly result: Proof['result'];
  readonly benefits: Proof['benefits'];
}

/** What was answered, a block for each coverage. */
function AnswerPart({ proof, result, benefits }: AnswerPartProps) {
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
      {benefits && <NetworkNote coverages={benefits.coverages} />}
      {!benefits && coverages.length > 0 && (
        <p className={layoutCss.quiet}>What was said beside it is shown with the patient.</p>
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
