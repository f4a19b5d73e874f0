import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { failureOf } from '../../api/failure.ts';
import { Button } from '../../look/button/button.tsx';
import { Page } from '../../look/page/page.tsx';
import { Empty } from '../../look/state/empty.tsx';
import { FailureNotice } from '../../look/state/failure-notice.tsx';
import { Loaded } from '../../look/state/loaded.tsx';
import { SkeletonRows } from '../../look/state/skeleton.tsx';
import { useMe } from '../../session/use-me.ts';
import { AnswerPart } from './answer-part.tsx';
import { AboutPart, AskedPart, FoundPart, RecordPart } from './parts.tsx';
import css from './proof.module.css';
import { useProof } from './use-proof.ts';

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
