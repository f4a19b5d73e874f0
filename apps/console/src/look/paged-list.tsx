import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import * as z from 'zod';
import { readFullPage } from '../api/api.ts';
import { Button } from './button.tsx';
import { Loaded, SkeletonRows } from './loaded.tsx';
import { Empty } from './notice.tsx';
import { useKeptPlace } from './page.tsx';
import { useQueryModel } from './query-model.ts';
import css from './table.module.css';
import { type Column, type Order, Table } from './table.tsx';

/** A page of a list as an operation returns it. */
interface Read<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

interface PagedListProps<Item, Answer extends Read<Item>> {
  /** The operation; the list is read again when a query of this name is invalidated. */
  readonly operation: string;
  /** The input besides the page: another input is another list. */
  readonly asked?: unknown;
  readonly read: (
    page: { cursor: string | undefined; limit: number },
    signal: AbortSignal,
  ) => Promise<Answer>;
  /** The rows of a page; 50 by default. */
  readonly limit?: number;
  /** Whether the page is read again every 15 seconds. */
  readonly isLive?: boolean;
  /** What the items are, for captions and empty states: `delivery`, `deliveries`. */
  readonly nouns: readonly [one: string, several: string];
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string | number;
  readonly isTarget?: boolean;
  /** The order of the list, where it can be read in both; newest first by default. */
  readonly order?: Order;
  /** The order of a list that is neither newest nor oldest first, as the end of its caption. */
  readonly inOrder?: string;
  /** Whether filters narrow the list, so that an empty one asks to clear them. */
  readonly isFiltered?: boolean;
  /** Shown in place of the table where there is no item and no filter. */
  readonly none: ReactNode;
  /** Shown above the table, from the page that was read. */
  readonly above?: (answer: Answer) => ReactNode;
  /** Where the page of the list is kept: in the address, so that Back leads to it, or, for one of several lists of a page, here. */
  readonly place?: 'address' | 'here';
}

/** A list that is read page by page: its rows, its empty states, and the links to the first and the next page. */
export function PagedList<Item, Answer extends Read<Item>>(props: PagedListProps<Item, Answer>) {
  const { operation, asked, read, limit = 50, isLive = false, place: keptIn = 'address' } = props;
  const inAddress = useQueryModel(Place);
  const here = useState<Place>({});
  const [place, go] = keptIn === 'address' ? inAddress : here;
  const query = useQuery({
    queryKey: [operation, asked, keptIn, place.cursor],
    queryFn: ({ signal }) => readFullPage(limit, place.cursor, (page) => read(page, signal)),
    placeholderData: keepPreviousData,
    ...(isLive && { refetchInterval: 15_000 }),
  });
  // Another filter is another query: while it is not answered, the rows read last are better than none.
  const [last, setLast] = useState<Answer>();
  useEffect(() => {
    if (query.data) setLast(query.data);
  }, [query.data]);
  const data = query.data ?? (query.error ? last : undefined);
  useKeptPlace(keptIn === 'address' && query.data !== undefined);
  const { nouns, columns, keyOf, isTarget = false, order, above } = props;
  const { inOrder = order?.isOldestFirst ? 'oldest first' : 'newest first' } = props;
  const several = nouns[1].charAt(0).toUpperCase() + nouns[1].slice(1);
  return (
    <Loaded
      query={{ data, error: query.error, refetch: query.refetch, isFetching: query.isFetching }}
      what="list"
      skeleton={<SkeletonRows count={keptIn === 'here' ? 3 : 10} />}
    >
      {(answer) => (
        <>
          {above?.(answer)}
          {answer.items.length === 0 ? (
            <NoItems {...props} next={answer.next_cursor} />
          ) : (
            <Table
              caption={`${several}, ${inOrder}`}
              items={answer.items}
              columns={columns}
              keyOf={keyOf}
              isTarget={isTarget}
              {...(order && { order })}
            />
          )}
          <Pager
            name={keptIn === 'here' ? nouns[1] : 'list'}
            place={place}
            next={answer.next_cursor}
            count={answer.items.length}
            onGo={go}
          />
        </>
      )}
    </Loaded>
  );
}

interface NoItemsProps {
  readonly nouns: readonly [string, string];
  readonly isFiltered?: boolean;
  readonly none: ReactNode;
  readonly next: string | null;
}

/** Each call reads a bounded number of rows, so a list can be empty and have a next page. */
function NoItems({ nouns: [one, several], isFiltered = false, none, next }: NoItemsProps) {
  if (next !== null)
    return (
      <Empty title="None found yet">
        Few {several} meet these filters. “Next page” continues the search.
      </Empty>
    );
  if (isFiltered) return <Empty title={`No ${one} meets these filters`}>Clear a filter.</Empty>;
  return <>{none}</>;
}

/** The page of a list, as the address holds it. */
const Place = z.object({
  /** The cursor of this page; absent on the first. */
  cursor: z.string().min(1).optional(),
  /** The number of this page; absent on the first. */
  page: z
    .string()
    .regex(/^\d{1,6}$/)
    .optional(),
});
type Place = z.infer<typeof Place>;

interface PagerProps {
  /** What it has the pages of: a page can have several lists. */
  readonly name: string;
  readonly place: Place;
  /** The cursor of the next page; null on the last. */
  readonly next: string | null;
  /** How many items this page shows. */
  readonly count: number;
  readonly onGo: (place: Place) => void;
}

/**
 * How many items a list has, where one page holds it; else the number of the page, and links to the first and the next.
 * The browser's Back leads to the page before.
 */
function Pager({ name, place: { cursor, page = '1' }, next, count, onGo }: PagerProps) {
  if (cursor === undefined && next === null)
    return count === 0 ? null : <p className={css.pager}>{count === 1 ? '1 in all' : `${count} in all`}</p>;
  return (
    <nav className={css.pager} aria-label={`Pages of the ${name}`}>
      <Button disabled={cursor === undefined} onClick={() => onGo({ cursor: undefined, page: undefined })}>
        First page
      </Button>
      <Button
        disabled={next === null}
        onClick={() => onGo({ cursor: next ?? undefined, page: String(Number(page) + 1) })}
      >
        Next page
      </Button>
      <span>
        Page {page}
        {next === null && ', the last'}
      </span>
    </nav>
  );
}
