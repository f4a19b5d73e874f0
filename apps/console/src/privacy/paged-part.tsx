import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Loaded } from '../look/state/loaded.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { Pager } from '../look/table/pager.tsx';
import { Table } from '../look/table/table.tsx';
import css from './privacy.module.css';

interface PagedPartProps<Item> {
  readonly title: string;
  /** The operation; its answers are read again when a query of this name is invalidated. */
  readonly name: string;
  readonly read: (
    page: { cursor: string | undefined; limit: number },
    signal: AbortSignal,
  ) => Promise<{ items: Item[]; next_cursor: string | null }>;
  readonly columns: readonly string[];
  readonly empty: ReactNode;
  readonly row: (item: Item) => ReactNode;
}

/** A part of the page with a paged list of its own, newest first. */
export function PagedPart<Item>({ title, name, read, columns, empty, row }: PagedPartProps<Item>) {
  const [cursor, setCursor] = useState<string>();
  const query = useQuery({
    queryKey: [name, 'privacy', cursor],
    queryFn: ({ signal }) => read({ cursor, limit: 20 }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <section className={css.part}>
      <h2>{title}</h2>
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={3} />}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              empty
            ) : (
              <Table caption={`${title}, newest first`} columns={columns}>
                {items.map(row)}
              </Table>
            )}
            <Pager cursor={cursor} next={next} onGo={setCursor} />
          </>
        )}
      </Loaded>
    </section>
  );
}
