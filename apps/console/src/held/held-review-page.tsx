import { type HeldReason, initialsOf, type RequestInfo } from '@insurance-verification/schema';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import * as z from 'zod';
import { api, type Outputs } from '../api/api.ts';
import { useKeyOf, useKeys } from '../keys/use-keys.ts';
import { Button, CopyButton } from '../look/button.tsx';
import layoutCss from '../look/layout.module.css';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page.tsx';
import { useQueryModel } from '../look/query-model.ts';
import { Time } from '../look/time.tsx';
import { CoverageBenefits, NetworkNote } from '../requests/one/benefits-part.tsx';
import { HELD } from '../words/held-words.ts';
import { ComparedValues } from './compared-values.tsx';
import { ApplyDialog, DismissDialog, HeldDecision, OtherRequest } from './decide.tsx';
import css from './held.module.css';

/** `with`: another request to compare with than the one that the output names. */
const ComparedWith = z.object({ with: z.string().optional() });

type Compared = Outputs['heldOutputs']['compare']['values'][number];

/**
 * `/held/{held_id}`: one held output next to its request and the present result, for an operator to apply or dismiss.
 */
export function HeldReviewPage({ heldId }: { readonly heldId: string }) {
  const [{ with: other }, change] = useQueryModel(ComparedWith);
  const [, go] = useLocation();
  const [decides, setDecides] = useState<'apply' | 'dismiss' | null>(null);
  const query = useQuery({
    queryKey: ['heldOutputs.compare', heldId, other],
    queryFn: ({ signal }) =>
      api.heldOutputs.compare.query(
        { held_id: heldId, ...(other !== undefined && { request_id: other }) },
        { signal },
      ),
  });
  const { older, newer } = useNeighbours(heldId);
  const isOpen = query.data?.held.status === 'held';
  const isSafe =
    query.data?.failed_tests.every(({ test }) => test === 'first_result' || test === 'sender') &&
    !query.data.values.some(turnsAnswer);
  const to = (id: string | undefined) => (id === undefined ? undefined : () => go(`/held/${id}`));
  const keyOf = useKeyOf();
  useKeys({
    older: to(older),
    newer: to(newer),
    ...(isOpen && { accept: () => setDecides('apply'), decline: () => setDecides('dismiss') }),
  });
  const close = () => {
    setDecides(null);
    void query.refetch();
  };
  // Without a request only the output says whose it is.
  const asked = query.data?.request?.input ?? query.data?.held.output.request.input;
  return (
    <Page
      title={asked ? `Held output at ${asked.payer_info.name}` : 'Held output'}
      heading={query.data && asked && headlineOf(query.data.held.reason, asked)}
      id={{ of: 'held output', text: heldId }}
      actions={
        <>
          {isOpen && (
            <>
              <Button
                kind={isSafe ? 'primary' : 'plain'}
                shortcut={keyOf('accept')}
                onClick={() => setDecides('apply')}
              >
                Apply …
              </Button>
              <Button shortcut={keyOf('decline')} onClick={() => setDecides('dismiss')}>
                Dismiss …
              </Button>
            </>
          )}
          <Button shortcut={keyOf('newer')} disabled={newer === undefined} onClick={to(newer)}>
            Newer
          </Button>
          <Button shortcut={keyOf('older')} disabled={older === undefined} onClick={to(older)}>
            Older
          </Button>
        </>
      }
    >
      <Loaded query={query} what="held output" skeleton={<SkeletonRows count={10} />}>
        {(comparison) => {
          const { held, request, decision, sentence, values } = comparison;
          return (
            <>
              <p className={css.sentence}>
                {held.status === 'held' ? (
                  <Mark tone="warn">{HELD[held.reason].word}</Mark>
                ) : (
                  <Mark tone="quiet">{held.status === 'applied' ? 'Applied' : 'Dismissed'}</Mark>
                )}
                <span>{sentence}</span>
              </p>
              <p className={layoutCss.quiet}>
                Received <Time at={held.received_at} />
                {request?.request_id && (
                  <>
                    , compared with <Link href={`/requests/${request.request_id}`}>{request.request_id}</Link>{' '}
                    <CopyButton text={request.request_id} name="the request id" />
                  </>
                )}
              </p>
              {held.correction && (
                <p>
                  Correction by {held.correction.by ?? 'a key without a name'}: {held.correction.reason}
                </p>
              )}
              {decision && <HeldDecision held={held} decision={decision} values={values} />}
              <ComparedValues values={values} />
              {held.benefits && (
                <section aria-label="Benefits">
                  <h2>Benefits</h2>
                  {held.benefits
                    .filter(({ benefits }) => benefits.length > 0)
                    .map((coverage) => (
                      <CoverageBenefits key={coverage.entry} coverage={coverage} day={null} />
                    ))}
                  <NetworkNote coverages={held.benefits} />
                </section>
              )}
              {isOpen && (
                <OtherRequest key={other} compared={other} onCompare={(id) => change({ with: id })} />
              )}
              {decides === 'apply' && <ApplyDialog comparison={comparison} onClose={close} />}
              {decides === 'dismiss' && <DismissDialog heldId={heldId} onClose={close} />}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

/** Whether a value makes another answer of the current one, as Inactive of Active does. */
const turnsAnswer = ({ field, standing, standing_difference: difference }: Compared) =>
  /\/(eligibility_status|state)$/.test(field) && standing !== null && difference !== 'none';

/** `Another patient? J. D. at Payer Plan 1`. */
function headlineOf(reason: HeldReason, { patient_info: patient, payer_info: payer }: RequestInfo): string {
  const { word } = HELD[reason];
  const who = initialsOf(patient.name) ?? 'A patient without a name';
  return `${word}${word.endsWith('?') ? '' : ':'} ${who} at ${payer.name}`;
}

/** The held outputs next to this one in the list of open ones, newest first. */
function useNeighbours(heldId: string): {
  readonly older: string | undefined;
  readonly newer: string | undefined;
} {
  const { data } = useQuery({
    queryKey: ['heldOutputs.neighbours'],
    queryFn: ({ signal }) => api.heldOutputs.list.query({ limit: 100 }, { signal }),
    staleTime: 30_000,
  });
  const ids = data?.items.map(({ held_id: id }) => id) ?? [];
  const at = ids.indexOf(heldId);
  // Ids grow with time, so an output settled meanwhile keeps its position.
  const newer = ids.findLast((id) => id > heldId);
  return { older: at === -1 ? ids.find((id) => id < heldId) : ids[at + 1], newer };
}
