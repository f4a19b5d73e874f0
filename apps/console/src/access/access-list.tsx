import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import * as z from 'zod';
import { useKeptPlace } from '../look/page/use-place.ts';
import { Loaded } from '../look/state/loaded.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { Pager, PLACE } from '../look/table/pager.tsx';
import { type Column, Table } from '../look/table/table.tsx';
import { useQueryModel } from '../look/table/use-query-model.ts';

const Place = z.object(PLACE);

interface AccessListProps<Item> {
  /** The operation; its answers are read again when a query of this name is invalidated. */
  readonly name: string;
  readonly read: (
    page: { cursor: string | undefined; limit: number },
    signal: AbortSignal,
  ) => Promise<{ items: Item[]; next_cursor: string | null }>;
  readonly caption: string;
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  readonly empty: ReactNode;
}

/** A paged list of accounts, keys or people, newest first. */
export function AccessList<Item>({ name, read, caption, columns, keyOf, empty }: AccessListProps<Item>) {
  const [{ cursor, page }, change] = useQueryModel(Place);
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
            <Table caption={caption} items={items} columns={columns} keyOf={keyOf} />
          )}
          <Pager place={{ cursor, page }} next={next} count={items.length} onGo={change} />
        </>
      )}
    </Loaded>
  );
}
