import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import * as z from 'zod';
import { useKeptPlace } from '../look/page/use-place.ts';
import { Loaded } from '../look/state/loaded.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { Pager } from '../look/table/pager.tsx';
import { Table } from '../look/table/table.tsx';
import { useQueryModel } from '../look/table/use-query-model.ts';

const Place = z.object({ cursor: z.string().optional() });

interface AccessListProps<Item> {
  /** The operation; its answers are read again when a query of this name is invalidated. */
  readonly name: string;
  readonly read: (
    page: { cursor: string | undefined; limit: number },
    signal: AbortSignal,
  ) => Promise<{ items: Item[]; next_cursor: string | null }>;
  readonly caption: string;
  readonly columns: readonly string[];
  readonly empty: ReactNode;
  readonly row: (item: Item) => ReactNode;
}

/** A paged list of accounts, keys or people, newest first. */
export function AccessList<Item>({ name, read, caption, columns, empty, row }: AccessListProps<Item>) {
  const [{ cursor }, change] = useQueryModel(Place);
  const query = useQuery({
    queryKey: [name, cursor],
    queryFn: ({ signal }) => read({ cursor, limit: 50 }, signal),
    placeholderData: keepPreviousData,
  });
  useKeptPlace(query.data !== undefined);
  return (
    <Loaded query={query} what="list" skeleton={<SkeletonRows count={8} />}>
      {({ items, next_cursor: next }) => (
        <>
          {items.length === 0 ? (
            empty
          ) : (
            <Table caption={caption} columns={columns}>
              {items.map(row)}
            </Table>
          )}
          <Pager cursor={cursor} next={next} onGo={(to) => change({ cursor: to })} />
        </>
      )}
    </Loaded>
  );
}
