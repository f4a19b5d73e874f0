import type { StandingHold } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Store } from '../open-store.ts';
import { type Covered, coveredOf } from '../row-macs/covered-columns.ts';

type Inside = Pick<Store, 'db' | 'vault'>;

/** A hold that keeps data from being erased. */
interface Hold {
  readonly id: string;
  readonly accountId: string;
  /** Null where it covers all of its account. */
  readonly requestId: string | null;
  readonly placedAt: Date;
}

/** Which holds are looked for. */
interface Choice {
  /** Of holds on whole accounts, those on this one; by default on every account. */
  readonly accountId?: string;
  /** Holds on these requests, in addition to those on whole accounts. */
  readonly requestIds: readonly string[] | 'any';
}

/**
 * The holds that keep data from being erased, the oldest first. If row and audit differ, it believes the one that has the hold
 * in force, and reports the other:
 *
 * | the row                      | the audit says that it was placed | the hold                        |
 * |------------------------------|-----------------------------------|---------------------------------|
 * | its MAC is right             | or not, its month may be dropped  | stands until the row's end      |
 * | its MAC is wrong             | yes                               | stands, on what the audit names |
 * | its MAC is wrong             | no                                | stands, on what the row names   |
 * | gone, as the service never does | yes                            | stands, on what the audit names |
 *
 * The line of an end does not count: an attacker who can delete a row can also add a line.
 */
export async function keepingHolds(inside: Inside, choice: Choice): Promise<Hold[]> {
  const placed = await placedHolds(inside, choice);
  const known = new Set(placed.map(({ id }) => id));
  const { rows } = await sql<Omit<HoldRow, 'covered'> & { readonly covered: Covered }>`
    select id, account_id, request_id, placed_at as at, ${coveredOf('legal_hold')} as covered
    from legal_hold where ${ofAccount(choice)} and ${ofRequests(choice, sql.ref('request_id'))}`.execute(
    inside.db,
  );
  const isAsked = ({ accountId, requestId }: Hold) =>
    requestId !== null || choice.accountId === undefined || accountId === choice.accountId;
  const others = rows.filter(({ id }) => !known.has(id));
  return [...placed, ...others]
    .flatMap((row) => standing(inside, row) ?? [])
    .filter(isAsked)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

const ofAccount = ({ accountId }: Choice) =>
  accountId === undefined
    ? sql<boolean>`true`
    : sql<boolean>`(request_id is not null or account_id = ${accountId})`;

const ofRequests = ({ requestIds }: Choice, column: RawBuilder<unknown>) =>
  requestIds === 'any'
    ? sql<boolean>`true`
    : sql<boolean>`(${column} is null or ${column} = any (${requestIds}))`;

interface HoldRow {
  readonly id: string;
  readonly account_id: string;
  readonly request_id: string | null;
  readonly at: Date;
  /** Null where the row is gone. */
  readonly covered: Covered | null;
}

/** The holds that the audit says were placed, each with its row. */
async function placedHolds({ db }: Inside, choice: Choice): Promise<HoldRow[]> {
  const { rows } = await sql<Omit<HoldRow, 'account_id'> & { readonly details: string | null }>`
    select line.subject_id as id, line.request_id, line.at, line.details,
      case when legal_hold.id is not null then ${coveredOf('legal_hold')} end as covered
    from access_log line left join legal_hold on legal_hold.id = line.subject_id
    where line.operation = 'holds.place' and line.outcome = 'done' and line.subject_id is not null
      and ${ofRequests(choice, sql.ref('line.request_id'))}`.execute(db);
  return rows.flatMap(({ details, ...row }) => {
    const accountId = accountIn(details);
    return accountId === null ? [] : [{ ...row, account_id: accountId }];
  });
}

/** Null for what the service did not write. */
function accountIn(details: string | null): string | null {
  try {
    const { after } = JSON.parse(details ?? '') as { readonly after?: { readonly account_id?: unknown } };
    return typeof after?.account_id === 'string' ? after.account_id : null;
  } catch {
    return null;
  }
}

/** Undefined for one that was ended. */
function standing({ vault: { macs } }: Inside, { id, at, covered, ...named }: HoldRow): Hold | undefined {
  const row = covered && macs.open('legal_hold', covered);
  if (!covered) macs.report({ table: 'legal_hold', id });
  if (row?.id !== id) return { id, accountId: named.account_id, requestId: named.request_id, placedAt: at };
  if (row.ended_at !== null) return undefined;
  return { id, accountId: row.account_id, requestId: row.request_id, placedAt: at };
}

/** What was held, and by whom, of a hold whose row is altered or gone: as the audit says, else as the row does. */
export async function findPlacing(
  { db }: Pick<Store, 'db'>,
  holdId: string,
): Promise<(Hold & { readonly placedBy: string }) | undefined> {
  const { rows } = await sql<
    Omit<HoldRow, 'covered'> & { readonly by: string; readonly details: string | null }
  >`
    select subject_id as id, request_id, null as account_id, at, key_id as by, details from access_log
    where operation = 'holds.place' and outcome = 'done' and subject_id = ${holdId}
    union all
    select id, request_id, account_id, placed_at, placed_by, null from legal_hold where id = ${holdId}`.execute(
    db,
  );
  const [found] = rows.flatMap(({ details, ...row }) => {
    const accountId = row.account_id ?? accountIn(details);
    return accountId === null ? [] : [{ ...row, accountId }];
  });
  return (
    found && {
      id: found.id,
      accountId: found.accountId,
      requestId: found.request_id,
      placedAt: found.at,
      placedBy: found.by,
    }
  );
}

/** The holds in force on a request or its account, the oldest first; without a request those on the whole account. */
export async function standingHolds(
  inside: Inside,
  { accountId, requestId }: { readonly accountId: string; readonly requestId: string | null },
): Promise<StandingHold[]> {
  const requestIds = requestId === null ? [] : [requestId];
  const holds = await keepingHolds(inside, { accountId, requestIds });
  return holds.map((hold) => ({
    hold_id: hold.id,
    covers: hold.requestId === null ? 'account' : 'request',
    placed_at: hold.placedAt.toISOString(),
  }));
}
