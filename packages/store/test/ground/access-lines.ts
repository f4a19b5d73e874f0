import type { Caller } from '../../src/index.ts';
import type { TestStores } from './open-test-stores.ts';

/**
 * A caller's access log lines, oldest first: the operation and the request, the requests of a list, or null for none.
 */
export async function accessLines(
  { sql }: TestStores,
  caller: Caller,
): Promise<[string, string | string[] | null][]> {
  const rows = await sql<{ operation: string; about: string | string[] | null; account_id: string }>(
    `select operation, coalesce(to_jsonb(request_id), to_jsonb(request_ids)) as about, account_id
     from access_log where key_id = $1 order by id`,
    [caller.keyId],
  );
  if (rows.some((row) => row.account_id !== caller.accountId))
    throw new Error('A line names another account.');
  return rows.map(({ operation, about }) => [operation, about]);
}
