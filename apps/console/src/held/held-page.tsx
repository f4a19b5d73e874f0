import { HeldReason } from '@insurance-verification/schema';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import * as z from 'zod';
import { api } from '../api/api.ts';
import { Field, Select } from '../look/form/field.tsx';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page/page.tsx';
import { Empty } from '../look/state/empty.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { Pager } from '../look/table/pager.tsx';
import css from '../look/table/table.module.css';
import { Table } from '../look/table/table.tsx';
import { useQueryModel } from '../look/table/use-query-model.ts';
import { Time } from '../look/time.tsx';
import { HELD } from './held-words.ts';

const Filters = z.object({ reason: HeldReason.optional(), cursor: z.string().optional() });

/** What was handed in and is not certainly right: it waits here and is not delivered. */
export function HeldPage() {
  const [filters, change] = useQueryModel(Filters);
  const query = useQuery({
    queryKey: ['heldOutputs.list', filters],
    queryFn: ({ signal }) => api.heldOutputs.list.query({ ...filters, limit: 50 }, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Held outputs">
      <div className={css.filters}>
        <Field label="Reason" htmlFor="reason">
          <Select
            id="reason"
            value={filters.reason ?? ''}
            onChange={(event) =>
              change({ reason: HeldReason.safeParse(event.target.value).data, cursor: undefined })
            }
          >
            <option value="">All</option>
            {HeldReason.options.map((reason) => (
              <option key={reason} value={reason}>
                {HELD[reason].word}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={8} />}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <Empty title="Nothing is held">
                An output that is not certainly right waits here until somebody applies or dismisses it. It is
                never delivered by itself.
              </Empty>
            ) : (
              <Table
                caption="Held outputs, newest first"
                columns={['Held output', 'Why', 'Received', 'Request']}
              >
                {items.map((held) => (
                  <tr key={held.held_id}>
                    <td>
                      <Link href={`/held/${held.held_id}`}>
                        <code>{held.held_id}</code>
                      </Link>
                    </td>
                    <td>
                      <Mark tone="warn">{HELD[held.reason].word}</Mark>
                    </td>
                    <td>
                      <Time at={held.received_at} />
                    </td>
                    <td className={css.wide}>
                      {held.request_id !== null && (
                        <Link href={`/requests/${held.request_id}`}>
                          <code>{held.request_id}</code>
                        </Link>
                      )}
                    </td>
                  </tr>
                ))}
              </Table>
            )}
            <Pager cursor={filters.cursor} next={next} onGo={(cursor) => change({ cursor })} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
