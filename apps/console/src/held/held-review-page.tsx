import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../api/api.ts';
import { useKeys } from '../keys/use-keys.ts';
import { Button } from '../look/button.tsx';
import { Loaded } from '../look/loaded.tsx';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page.tsx';
import { SkeletonRows } from '../look/skeleton.tsx';
import { Table } from '../look/table.tsx';
import { Time } from '../look/time.tsx';
import { ApplyDialog } from './apply-dialog.tsx';
import { type ComparedRow, compareHeld, differencesText } from './compare-held.ts';
import { DismissDialog } from './dismiss-dialog.tsx';
import { HELD } from './held-words.ts';
import css from './held.module.css';

/** Reads the held output, and beside it what was asked and what stands, where it names a request. */
async function readHeld(heldId: string, signal: AbortSignal) {
  const held = await api.heldOutputs.get.query({ held_id: heldId }, { signal });
  if (held.request_id === null) return { held, request: null, result: null };
  const input = { request_id: held.request_id };
  const request = await api.requests.get.query(input, { signal });
  // A pending request has none.
  const result = request.state === 'pending' ? null : await api.requests.result.query(input, { signal });
  return { held, request, result };
}

/** One held output beside what was asked and what stands, for somebody to decide. */
export function HeldReviewPage({ heldId }: { readonly heldId: string }) {
  const [decides, setDecides] = useState<'apply' | 'dismiss' | null>(null);
  const query = useQuery({
    queryKey: ['heldOutputs.review', heldId],
    queryFn: ({ signal }) => readHeld(heldId, signal),
  });
  const isOpen = query.data?.held.status === 'held';
  useKeys(isOpen ? { a: () => setDecides('apply'), d: () => setDecides('dismiss') } : {});
  const close = () => {
    setDecides(null);
    void query.refetch();
  };
  return (
    <Page
      title={heldId}
      heading={<code className={css.id}>{heldId}</code>}
      actions={
        isOpen && (
          <>
            <Button
              kind={query.data?.held.reason === 'input_mismatch' ? 'plain' : 'primary'}
              shortcut="a"
              onClick={() => setDecides('apply')}
            >
              Apply …
            </Button>
            <Button shortcut="d" onClick={() => setDecides('dismiss')}>
              Dismiss …
            </Button>
          </>
        )
      }
    >
      <Loaded query={query} what="held output" skeleton={<SkeletonRows count={10} />}>
        {(it) => {
          const rows = compareHeld(it);
          const differing = rows.filter(({ differsFrom }) => differsFrom.length > 0);
          const equal = rows.filter(({ differsFrom }) => differsFrom.length === 0);
          return (
            <>
              <p className={css.sentence}>
                {it.held.status === 'held' ? (
                  <Mark tone="warn">{HELD[it.held.reason].word}</Mark>
                ) : (
                  <Mark tone="quiet">{it.held.status === 'applied' ? 'Applied' : 'Dismissed'}</Mark>
                )}
                <span>
                  {HELD[it.held.reason].sentence} {it.request && differencesText(rows)}
                </span>
              </p>
              <p className={css.facts}>
                Received <Time at={it.held.received_at} />
                {it.held.request_id !== null && (
                  <>
                    {' '}
                    for <Link href={`/requests/${it.held.request_id}`}>{it.held.request_id}</Link>
                  </>
                )}
                {it.held.note !== null && <> · Note: {it.held.note}</>}
              </p>
              {differing.length > 0 && <Rows caption="What differs" rows={differing} />}
              {equal.length > 0 && (
                <details open={differing.length === 0}>
                  <summary>{it.request ? `${equal.length} values agree` : 'What was handed in'}</summary>
                  <Rows caption="What agrees" rows={equal} />
                </details>
              )}
              {decides === 'apply' && <ApplyDialog held={it.held} request={it.request} onClose={close} />}
              {decides === 'dismiss' && <DismissDialog heldId={heldId} onClose={close} />}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Rows({ caption, rows }: { readonly caption: string; readonly rows: readonly ComparedRow[] }) {
  return (
    <Table caption={caption} columns={['Value', 'Asked', 'Standing', 'Offered']}>
      {rows.map(({ name, asked, standing, offered, differsFrom }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>{asked || '–'}</td>
          <td>{standing || '–'}</td>
          <td className={css.offered}>
            {offered || '–'}
            {differsFrom.length > 0 && <span className={css.differs}>≠ {differsFrom.join(' and ')}</span>}
          </td>
        </tr>
      ))}
    </Table>
  );
}
