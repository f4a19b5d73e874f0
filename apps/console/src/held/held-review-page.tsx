import { type HeldReason, initialsOf, type RequestInfo } from '@insurance-verification/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import * as z from 'zod';
import { api, type Outputs } from '../api/api.ts';
import { useKeyOf, useKeys } from '../keys/use-keys.ts';
import { Button } from '../look/button/button.tsx';
import { CopyButton } from '../look/button/copy-button.tsx';
import { Field, TextInput } from '../look/form/field.tsx';
import { Mark } from '../look/icon.tsx';
import { Page } from '../look/page.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { FailureNotice } from '../look/state/notice.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { useQueryModel } from '../look/table/use-query-model.ts';
import { Time } from '../look/time/time.tsx';
import { CoverageBenefits } from '../requests/one/benefits/benefits-part.tsx';
import { HELD } from '../words/held-words.ts';
import { ComparedValues, ValueText } from './compared-values.tsx';
import { ApplyDialog, DismissDialog } from './decision-dialogs.tsx';
import css from './held.module.css';

/** `with`: another request to compare with than the one that the output names. */
const ComparedWith = z.object({ with: z.string().optional() });

type Compared = Outputs['heldOutputs']['compare']['values'][number];

/**
 * `/held/{held_id}`: one held output beside its request and the present result, for an operator to apply or dismiss.
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
              <p className={css.facts}>
                Received <Time at={held.received_at} />
                {request?.request_id && (
                  <>
                    , compared with <Link href={`/requests/${request.request_id}`}>{request.request_id}</Link>{' '}
                    <CopyButton text={request.request_id} name="the request id" />
                  </>
                )}
              </p>
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

type Comparison = Outputs['heldOutputs']['compare'];

interface HeldDecisionProps {
  readonly held: Comparison['held'];
  readonly decision: NonNullable<Comparison['decision']>;
  readonly values: Comparison['values'];
}

/** Who settled a held output, when, and what that changed: `Applied by Olga at Nov 28 10:15:00: Eligibility Active → Inactive`. */
export function HeldDecision({ held, decision, values }: HeldDecisionProps) {
  const changed = values.filter(({ standing_difference: difference }) => difference !== 'none');
  const who = decision.by_name ?? 'a key without a name';
  if (decision.version === null)
    return (
      <p className={css.decision}>
        Dismissed by {who} at <Time at={decision.at} />
        {held.note === null ? '.' : `: ${held.note}`}
      </p>
    );
  return (
    <div className={css.decision}>
      <p>
        Applied by {who} at <Time at={decision.at} />
        {changed.length > 0 ? ':' : `, as result ${decision.version}.`}
      </p>
      {changed.length > 0 && (
        <ul>
          {changed.map(({ field, name, standing, offered }) => (
            <li key={field}>
              {name} <ValueText field={field} text={standing} places={[]} /> →{' '}
              <ValueText field={field} text={offered} places={[]} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface OtherRequestProps {
  readonly compared: string | undefined;
  readonly onCompare: (requestId: string | undefined) => void;
}

/** A form that finds another request to compare with, by its id or by the Idempotency-Key that created it. */
export function OtherRequest({ compared, onCompare }: OtherRequestProps) {
  const [text, setText] = useState(compared ?? '');
  const search = useMutation({
    mutationFn: (sought: string) =>
      api.requests.search.mutate(
        sought.startsWith('req_') ? { request_id: sought } : { idempotency_key: sought },
      ),
    onSuccess: ({ items: [found] }) => {
      if (found) onCompare(found.request_id);
    },
  });
  const isNothing = search.data?.items.length === 0;
  return (
    <form
      className={css.other}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') search.mutate(text.trim());
      }}
    >
      <Field
        label="Is it about another request?"
        htmlFor="other"
        fault={isNothing ? 'No request has this id or key.' : undefined}
      >
        <TextInput
          id="other"
          autoComplete="off"
          spellCheck={false}
          placeholder="Its id, or its Idempotency-Key"
          value={text}
          invalid={isNothing}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Button type="submit" disabled={search.isPending}>
        Compare
      </Button>
      {compared !== undefined && <Button onClick={() => onCompare(undefined)}>Compare with its own</Button>}
      {search.error && <FailureNotice error={search.error} />}
    </form>
  );
}

/** The held outputs next to this one in the list of open ones, newest first. */
export function useNeighbours(heldId: string): {
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
