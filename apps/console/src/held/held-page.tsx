import { HeldReason } from '@insurance-verification/schema';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import * as z from 'zod';
import { api, type Outputs } from '../api/api.ts';
import { FilterBar, type Filter } from '../filters/filter-bar.tsx';
import { CopyButton } from '../look/button.tsx';
import { IdLink } from '../look/ids.tsx';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { Mark } from '../look/mark.tsx';
import { Empty } from '../look/notice.tsx';
import { Page, useKeptPlace } from '../look/page.tsx';
import { useQueryModel } from '../look/query-model.ts';
import { AGE_CHOICES, spanOf } from '../look/read-date.ts';
import { FIRST_PAGE, Pager, PLACE, type Column, IdCell, Table } from '../look/table.tsx';
import { Age, Time } from '../look/time.tsx';
import { CHANGES, HELD, MEMBERS } from '../words/held-words.ts';

const text = () => z.string().min(1).optional();
const Filters = z.object({
  reason: HeldReason.optional(),
  age: text(),
  since: text(),
  until: text(),
  order: z.literal('newest').optional(),
  ...PLACE,
});
type Filters = z.infer<typeof Filters>;

const FIELDS: readonly Filter<Exclude<keyof Filters, 'order' | 'cursor' | 'page'>>[] = [
  {
    name: 'reason',
    label: 'Reason',
    choices: HeldReason.options.map((reason) => [reason, HELD[reason].word] as const),
  },
  { name: 'age', label: 'Age', choices: AGE_CHOICES },
  { name: 'since', label: 'Received since', kind: 'time', rare: true },
  { name: 'until', label: 'Received before', kind: 'time', rare: true },
];

/** `/held`: the outputs that are held and not delivered, because it is not known yet whether they are right. */
export function HeldPage() {
  const [filters, change] = useQueryModel(Filters);
  const { reason, age, order, cursor, page, ...times } = filters;
  const query = useQuery({
    queryKey: ['heldOutputs.list', filters],
    queryFn: ({ signal }) =>
      api.heldOutputs.list.query(
        { reason, order: order ?? 'oldest', cursor, limit: 50, ...spanOf(age, times) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  useKeptPlace(query.data !== undefined);
  const isFiltered = [reason, age, times.since, times.until].some((value) => value !== undefined);
  return (
    <Page
      title="Held outputs"
      filters={
        <FilterBar
          filters={FIELDS}
          values={{ reason, age, ...times }}
          onChange={(changes) => change({ ...(changes as Partial<Filters>), ...FIRST_PAGE })}
        />
      }
    >
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={8} />}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <NothingHeld isFiltered={isFiltered} />
            ) : (
              <HeldTable
                items={items}
                isOldestFirst={order === undefined}
                onTurn={() => change({ order: order === undefined ? 'newest' : undefined, ...FIRST_PAGE })}
              />
            )}
            <Pager place={{ cursor, page }} next={next} count={items.length} onGo={change} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

type Held = Outputs['heldOutputs']['list']['items'][number];

interface HeldTableProps {
  readonly items: readonly Held[];
  readonly isOldestFirst: boolean;
  /** Turns the order of the list. */
  readonly onTurn: () => void;
}

function HeldTable({ items, isOldestFirst, onTurn }: HeldTableProps) {
  const columns: Column<Held>[] = [
    {
      head: 'Received',
      cell: ({ held_id: id, received_at: at }) => (
        <IdCell>
          <Link href={`/held/${id}`}>
            <Time at={at} />
          </Link>
          <CopyButton text={id} name="the held output’s id" />
        </IdCell>
      ),
    },
    {
      head: 'Age',
      is: 'number',
      turn: { isOldestFirst, onTurn },
      cell: (held) => <Age since={held.received_at} />,
    },
    { head: 'Why', cell: ({ reason }) => <Mark tone="warn">{HELD[reason].word}</Mark> },
    { head: 'What differs', is: 'words', cell: differenceOf },
    { head: 'Patient', from: 'middle', cell: ({ patient_initials: initials }) => initials ?? '' },
    { head: 'Clinic', is: 'words', from: 'middle', cell: ({ account_name: name }) => name ?? '' },
    { head: 'Payer', is: 'words', from: 'middle', cell: ({ payer }) => payer ?? '' },
    { head: 'Offered by', is: 'words', from: 'middle', cell: ({ offered_by: name }) => name ?? '' },
    {
      head: 'Request',
      from: 'wide',
      cell: ({ request_id: id }) => id !== null && <IdLink id={id} href={`/requests/${id}`} />,
    },
  ];
  return (
    <Table
      caption={`Held outputs, ${isOldestFirst ? 'oldest' : 'newest'} first`}
      items={items}
      columns={columns}
      keyOf={({ held_id: id }) => id}
      isTarget
    />
  );
}

/** A patient's value that differs from both is named once. */
function differenceOf({ differs, changes }: Held): string {
  const ofResult = changes.filter((member) => !differs.some((asked) => asked === member));
  return [...differs.map((member) => MEMBERS[member]), ...ofResult.map((member) => CHANGES[member])].join(
    ', ',
  );
}

function NothingHeld({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No held output meets these filters">Clear a filter.</Empty>;
  return (
    <Empty title="Nothing is held">
      An output that is not certainly right waits here until somebody applies or dismisses it. It is never
      delivered by itself.
    </Empty>
  );
}
