import { HeldReason } from '@insurance-verification/schema';
import { Link } from 'wouter';
import * as z from 'zod';
import { api, type Outputs } from '../api/api.ts';
import { FilterBar, type Filter } from '../filters/filter-bar.tsx';
import { CopyButton } from '../look/button.tsx';
import { IdLink } from '../look/ids.tsx';
import { Mark } from '../look/mark.tsx';
import { Empty } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { PagedList } from '../look/paged-list.tsx';
import { useQueryModel } from '../look/query-model.ts';
import { AGE_CHOICES, spanOf } from '../look/read-date.ts';
import { type Column, IdCell } from '../look/table.tsx';
import { Age, Time } from '../look/time.tsx';
import { CHANGES, HELD, MEMBERS } from '../words/held-words.ts';

const text = () => z.string().min(1).optional();
const Filters = z.object({
  reason: HeldReason.optional(),
  age: text(),
  since: text(),
  until: text(),
  order: z.literal('newest').optional(),
});
type Filters = z.infer<typeof Filters>;

const FIELDS: readonly Filter<Exclude<keyof Filters, 'order'>>[] = [
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
  const { order = 'oldest', ...asked } = filters;
  const { reason, age, ...times } = asked;
  return (
    <Page
      title="Held outputs"
      filters={
        <FilterBar
          filters={FIELDS}
          values={asked}
          onChange={(changes) => change(changes as Partial<Filters>)}
        />
      }
    >
      <PagedList
        operation="heldOutputs.list"
        asked={filters}
        read={(part, signal) =>
          api.heldOutputs.list.query({ reason, order, ...spanOf(age, times), ...part }, { signal })
        }
        nouns={['held output', 'held outputs']}
        columns={COLUMNS}
        keyOf={({ held_id: id }) => id}
        isTarget
        order={{
          isOldestFirst: order === 'oldest',
          onTurn: () => change({ order: order === 'oldest' ? 'newest' : undefined }),
        }}
        isFiltered={Object.values(asked).some((value) => value !== undefined)}
        none={
          <Empty title="Nothing is held">
            An output that is not certainly right waits here until somebody applies or dismisses it. It is
            never delivered by itself.
          </Empty>
        }
      />
    </Page>
  );
}

type Held = Outputs['heldOutputs']['list']['items'][number];

const COLUMNS: readonly Column<Held>[] = [
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
  { head: 'Age', is: 'number', turns: true, cell: (held) => <Age since={held.received_at} /> },
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

/** A patient's value that differs from both is named once. */
function differenceOf({ differs, changes }: Held): string {
  const ofResult = changes.filter((member) => !differs.some((asked) => asked === member));
  return [...differs.map((member) => MEMBERS[member]), ...ofResult.map((member) => CHANGES[member])].join(
    ', ',
  );
}
