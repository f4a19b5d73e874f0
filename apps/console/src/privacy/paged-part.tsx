import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Loaded } from '../look/state/loaded.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { Pager } from '../look/table/pager.tsx';
import { type Column, Table } from '../look/table/table.tsx';
import css from './privacy.module.css';

interface PagedPartProps<Item> {
  readonly title: string;
  /** The operation; its answers are read again when a query of this name is invalidated. */
  readonly name: string;
  readonly read: (
    page: { cursor: string | undefined; limit: number },
    signal: AbortSignal,
  ) => Promise<{ items: Item[]; next_cursor: string | null }>;
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  readonly empty: ReactNode;
}

/** A part of the page with a paged list of its own, newest first. */
export function PagedPart<Item>({ title, name, read, columns, keyOf, empty }: PagedPartProps<Item>) {
  const [place, setPlace] = useState<ComponentProps<typeof Pager>['place']>({});
  const query = useQuery({
    queryKey: [name, 'privacy', place.cursor],
    queryFn: ({ signal }) => read({ cursor: place.cursor, limit: 20 }, signal),
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
              <Table caption={`${title}, newest first`} items={items} columns={columns} keyOf={keyOf} />
            )}
            <Pager place={place} next={next} count={items.length} onGo={setPlace} />
          </>
        )}
      </Loaded>
    </section>
  );
}
