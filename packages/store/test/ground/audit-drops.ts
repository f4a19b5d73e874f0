import { hash } from 'node:crypto';
import { archiveMonth, type DroppedMonth, dropMonth, type DropSigning, type Store } from '../../src/index.ts';
import { firstIdOf, type Month } from '../../src/months/log-parts.ts';
import { monthsPassed } from '../../src/testing/months-passed.ts';
import { encryptAll, sealKey } from './audit-seals.ts';
import type { TestStores } from './open-test-stores.ts';

/** The text of a month's archive; empty where there is none. */
export async function archiveOf(store: Pick<Store, 'db'>, month: Month): Promise<string> {
  const archive = await archiveMonth(store, { month });
  let text = '';
  if (archive.kind === 'found') for await (const part of archive.parts) text += part;
  return text;
}

/** The key that signs the removal of a month that is archived unchanged. */
export const signingOf = async (store: Store, month: Month): Promise<DropSigning> => ({
  key: sealKey,
  archive: hash('sha256', await archiveOf(store, month)),
  by: 'ann@ops1',
});

/** Drops a month, by default with its archive. */
export const dropOf =
  ({ store, connectionString }: TestStores) =>
  async (month: Month, signing?: DropSigning): Promise<DroppedMonth> =>
    dropMonth(connectionString, { month, signing: signing ?? (await signingOf(store, month)) });

/** Two months that passed. */
interface SealedMonths {
  readonly first: Month;
  readonly second: Month;
  /** The id of a line of the second month, from 1. */
  readonly inSecond: (number: number) => bigint;
}

/** Ninety lines, at most ten to a seal: 37 of the first month in seals 1 to 4, 30 of the second in 5 to 7, and of today. */
export async function ninetyLines({ store, sql }: TestStores): Promise<SealedMonths> {
  const passed = await monthsPassed({ sql }, 2);
  for (const [index, { month, firstId }] of passed.entries())
    await sql(
      `insert into access_log (id, at, key_id, account_id, operation, request_id)
       select $1::bigint + n - 1, $2::timestamptz + n * interval '1 microsecond', 'key_' || n, 'acct_1', 'requests.get',
         case when n % 3 > 0 then 'req_"ü' end
       from generate_series(1, $3) as n`,
      [firstId, `${month}-02T00:00:00Z`, index === 0 ? 37 : 30],
    );
  await sql(`insert into access_log (operation) select 'requests.get' from generate_series(1, 23)`);
  await encryptAll(store, 10);
  const [first = '0000-01', second = '0000-01'] = passed.map(({ month }) => month);
  return { first, second, inSecond: (number) => firstIdOf(second) + BigInt(number - 1) };
}
