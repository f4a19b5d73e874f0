import { HeldReason } from '@insurance-verification/schema';
import { Link } from 'wouter';
import * as z from 'zod';
import { api, type Outputs } from '../api/api.ts';
import { FilterBar, type Filter } from '../filters/filter-bar.tsx';
import { modeOf, seesBoth, TESTS_FILTER, TestsShown } from '../filters/tests-filter.ts';
import { Ago } from '../look/ago.tsx';
import { CopyButton } from '../look/button.tsx';
import { IdLink } from '../look/ids.tsx';
import { Mark } from '../look/mark.tsx';
import { Empty } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { PagedList } from '../look/paged-list.tsx';
import { useQueryModel } from '../look/query-model.ts';
import { AGE_CHOICES, spanOf } from '../look/read-date.ts';
import { type Column, IdCell } from '../look/table.tsx';
import { TestMark } from '../look/test-mark.tsx';
import { useMe } from '../session/use-me.ts';
import { CHANGES, HELD, MEMBERS } from '../words/held-words.ts';

const text = () => z.string().min(1).optional();
const Filters = z.object({
  reason: HeldReason.optional(),
  age: text(),
  since: text(),
  until: text(),
  tests: TestsShown,
  order: z.literal('newest').optional(),
});
type Filters = z.infer<typeof Filters>;

const FIELDS: readonly Filter<Exclude<keyof Filters, 'order' | 'tests'>>[] = [
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
  const { reason, age, tests, ...times } = asked;
  const { data: me } = useMe();
  const mode = modeOf({ tests }, me);
  return (
    <Page
      title="Held outputs"
      filters={
        <FilterBar
          filters={[...FIELDS, ...(seesBoth(me) ? [TESTS_FILTER] : [])]}
          values={asked}
          onChange={(changes) => change(changes as Partial<Filters>)}
        />
      }
    >
      <PagedList
        operation="heldOutputs.list"
        asked={[filters, mode]}
        read={(part, signal) =>
          api.heldOutputs.list.query({ reason, order, ...mode, ...spanOf(age, times), ...part }, { signal })
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
            An output that is not certainly right waits here for a decision.
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
    turns: true,
    cell: ({ held_id: id, received_at: at, account_mode: mode }) => (
      <IdCell>
        <Link href={`/held/${id}`}>
          <Ago at={at} />
        </Link>
        <TestMark mode={mode} />
        <CopyButton text={id} name="the held output’s id" />
      </IdCell>
    ),
  },
  { head: 'Why', cell: ({ reason }) => <Mark tone="warn">{HELD[reason].word}</Mark> },
  { head: 'What differs', is: 'line', cell: differenceOf },
  { head: 'Patient', from: 'middle', cell: ({ patient_initials: initials }) => initials },
  { head: 'Clinic', is: 'line', from: 'middle', cell: ({ account_name: name }) => name },
  { head: 'Payer', is: 'line', from: 'middle', cell: ({ payer }) => payer },
  { head: 'Offered by', is: 'line', from: 'middle', cell: ({ offered_by: name }) => name },
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
