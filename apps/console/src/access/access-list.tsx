import type { VerifyWithin } from '@insurance-verification/schema';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import * as z from 'zod';
import { api } from '../api/api.ts';
import { shortId } from '../look/ids.tsx';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { useKeptPlace } from '../look/page.tsx';
import { useQueryModel } from '../look/query-model.ts';
import { Pager, PLACE, type Column, Table } from '../look/table.tsx';

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

/**
 * The limits of a verifier, as the continuation of a sentence; nothing without limits. Accounts by name; one
 * that is not among the newest hundred by the end of its id.
 */
export function Bounds({ within }: { readonly within: VerifyWithin | null }) {
  const { data } = useQuery({
    queryKey: ['accounts.list', 'names'],
    queryFn: ({ signal }) => api.accounts.list.query({ limit: 100 }, { signal }),
    enabled: Boolean(within?.account_ids),
  });
  const names = new Map(data?.items.map(({ account_id: id, name }) => [id, name]));
  const parts = [
    ['payers', within?.payer_ids],
    ['channels', within?.channels],
    ['accounts', within?.account_ids?.map((id) => names.get(id) ?? shortId(id))],
  ] as const;
  const limits = parts.flatMap(([name, kept]) => (kept ? [`${name} ${kept.join(', ')}`] : []));
  return limits.length === 0 ? null : <>. Verifies only for {limits.join('; ')}</>;
}
