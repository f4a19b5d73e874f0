import { HeldReason } from '@insurance-verification/schema';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import * as z from 'zod';
import { api } from '../api/api.ts';
import { CopyButton } from '../look/button/copy-button.tsx';
import { AGE_CHOICES, spanOf } from '../look/form/age.ts';
import { type Filter, FilterForm } from '../look/form/filter-form.tsx';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page/page.tsx';
import { useKeptPlace } from '../look/page/use-place.ts';
import { Empty } from '../look/state/empty.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { Pager } from '../look/table/pager.tsx';
import css from '../look/table/table.module.css';
import { IdCell, Table } from '../look/table/table.tsx';
import { useQueryModel } from '../look/table/use-query-model.ts';
import { Age, Time } from '../look/time/time.tsx';
import { HELD } from '../words/held-words.ts';

const text = () => z.string().min(1).optional();
const Filters = z.object({
  reason: HeldReason.optional(),
  age: text(),
  since: text(),
  until: text(),
  cursor: text(),
});
type Filters = z.infer<typeof Filters>;

const FIELDS: readonly Filter<Exclude<keyof Filters, 'cursor'>>[] = [
  {
    name: 'reason',
    label: 'Reason',
    choices: HeldReason.options.map((reason) => [reason, HELD[reason].word] as const),
  },
  { name: 'age', label: 'Age', choices: AGE_CHOICES },
  { name: 'since', label: 'Received since', kind: 'time', rare: true },
  { name: 'until', label: 'Received before', kind: 'time', rare: true },
];

/** `/held`: the outputs that are held and not delivered, because nobody knows yet whether they are right. */
export function HeldPage() {
  const [filters, change] = useQueryModel(Filters);
  const { reason, age, cursor, ...times } = filters;
  const query = useQuery({
    queryKey: ['heldOutputs.list', filters],
    queryFn: ({ signal }) =>
      api.heldOutputs.list.query({ reason, cursor, limit: 50, ...spanOf(age, times) }, { signal }),
    placeholderData: keepPreviousData,
  });
  useKeptPlace(query.data !== undefined);
  const isFiltered = [reason, age, times.since, times.until].some((value) => value !== undefined);
  return (
    <Page title="Held outputs">
      <FilterForm
        filters={FIELDS}
        values={{ reason, age, ...times }}
        onChange={(values) => change({ ...(values as Partial<Filters>), cursor: undefined })}
      />
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={8} />}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <NothingHeld isFiltered={isFiltered} />
            ) : (
              <Table
                caption="Held outputs, newest first"
                columns={['Held output', 'Why', 'Received', 'Age', 'Request']}
                numbers={['Age']}
              >
                {items.map((held) => (
                  <tr key={held.held_id}>
                    <td>
                      <IdCell>
                        <Link href={`/held/${held.held_id}`}>
                          <code>{held.held_id}</code>
                        </Link>
                        <CopyButton text={held.held_id} name="the held output’s id" />
                      </IdCell>
                    </td>
                    <td>
                      <Mark tone="warn">{HELD[held.reason].word}</Mark>
                    </td>
                    <td>
                      <Time at={held.received_at} />
                    </td>
                    <td className={css.number}>
                      <Age since={held.received_at} />
                    </td>
                    <td>
                      {held.request_id !== null && (
                        <IdCell>
                          <Link href={`/requests/${held.request_id}`}>
                            <code>{held.request_id}</code>
                          </Link>
                          <CopyButton text={held.request_id} name="the request id" />
                        </IdCell>
                      )}
                    </td>
                  </tr>
                ))}
              </Table>
            )}
            <Pager cursor={cursor} next={next} onGo={(to) => change({ cursor: to })} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function NothingHeld({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No held output meets these filters">Take a filter away.</Empty>;
  return (
    <Empty title="Nothing is held">
      An output that is not certainly right waits here until somebody applies or dismisses it. It is never
      delivered by itself.
    </Empty>
  );
}
