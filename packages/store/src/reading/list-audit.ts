import type { AuditLine, AuditList } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { accountNameOf } from '../access/list-accounts.ts';
import { nameContains } from '../access/name-contains.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { subjectNameOf } from '../access/subject-name.ts';
import { isMisdated } from '../audit/pages.ts';
import { DecryptionError } from '../encryption/encrypt.ts';
import type { Vault } from '../encryption/vault.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { placeOfReason } from '../staff/break-glass.ts';
import { placeTimes } from './place-times.ts';

export interface AuditSearch {
  readonly caller: Caller;
  readonly limit: number;
  /** Only lines before this id. */
  readonly cursor?: string | undefined;
  readonly keyId?: string | undefined;
  /** Part of the name of a person or key, in any case. */
  readonly name?: string | undefined;
  /** The account of the request, or of one of a list's. */
  readonly accountId?: string | undefined;
  readonly accountMode?: 'live' | 'test' | undefined;
  readonly operation?: string | undefined;
  readonly requestId?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
  /** Lines scanned for one page; see `SCAN_COUNT`. */
  readonly scanCount?: number;
}

/**
 * Lines scanned for one page. Otherwise a rarely matching filter would read the whole log. So a page may hold fewer
 * lines than requested, or none, and still have a next one. At worst it reads 2,200 blocks and takes 50 ms, whatever
 * the log's size.
 */
const SCAN_COUNT = 50_000;

/** Who did or saw what, newest first. */
export async function listAudit(store: Store, search: AuditSearch): Promise<AuditList> {
  return readAudit(store, search, 'audit.list');
}

/** The same, for a part of a file. */
export async function exportAudit(store: Store, search: AuditSearch): Promise<AuditList> {
  return readAudit(store, search, 'audit.export');
}

/**
 * Uses the log's existing indexes, since another would cost intake, which writes the log: for one request the
 * request's and that of lists; otherwise backwards by id, between the seals around `since` and `until`.
 */
async function readAudit(
  { db, vault }: Store,
  search: AuditSearch,
  operation: 'audit.list' | 'audit.export',
): Promise<AuditList> {
  const page = mayMatch(search) ? await readPage({ db, vault }, search) : { items: [], next_cursor: null };
  await recordAccess(db, { caller: search.caller, operation });
  return page;
}

/** The kinds of subjects other than requests. */
const SUBJECTS = ['acct', 'key', 'held', 'stf', 'ses', 'ers', 'hold'] as const;

/** No line holds an id that was never issued, or a NUL, which Postgres refuses in any text. */
function mayMatch({ requestId, subjectId, keyId, name, accountId, operation }: AuditSearch): boolean {
  if (requestId !== undefined && !isIssuedId('req', requestId)) return false;
  if (subjectId !== undefined && !SUBJECTS.some((prefix) => isIssuedId(prefix, subjectId))) return false;
  return ![keyId, name, accountId, operation].some((text) => text?.includes('\0'));
}

async function readPage({ db, vault }: Pick<Store, 'db' | 'vault'>, search: AuditSearch): Promise<AuditList> {
  const { caller, limit, scanCount = SCAN_COUNT, cursor, requestId, since, until } = search;
  const { after, through } = await placeTimes(db, requestId === undefined ? { since, until } : {});
  const bounds = and([
    ...(cursor === undefined ? [] : [sql<boolean>`id < ${cursor}`]),
    ...(after === null ? [] : [sql<boolean>`id > ${after}`]),
    ...(through === null ? [] : [sql<boolean>`id <= ${through}`]),
  ]);
  const log = requestId === undefined ? sql`access_log` : linesAbout(requestId);
  const { rows } = await sql<ScannedRow | (Pick<ScannedRow, 'last_scanned_id'> & { id: null })>`
    with matching as (
      select id, at, operation, request_id, ${shown.keyId} as key_id, ${shown.accountId} as account_id,
        ${shown.subjectId} as subject_id, emergency, outcome,
        ${requestsShown(caller)}, ${LINE_MODE} as account_mode,
        ${ofActor('actor_name')}, ${ofActor('session_id')}, ${ofActor('address')}, ${ofActor('details')}
      from (
        select *, ${within(caller, 'account_id')} as sees_actor
        from ${log} where ${bounds} order by id desc limit ${scanCount}
      ) as scanned
      where ${and(conditions(search))}
      order by id desc limit ${limit + 1}
    ), edge as (
      select case when (select count(*) from matching) <= ${limit} then (
        select id from ${log} where ${bounds} order by id desc limit 1 offset ${scanCount - 1}
      ) end as last_scanned_id
    )
    select matching.*, edge.last_scanned_id, ${accountNameOf('matching.account_id')} as account_name,
      ${subjectNameOf('matching.subject_id')} as subject_name,
      ${accountNameOf('matching.request_account_id')} as request_account_name,
      ${isMisdated(sql`matching.at`, sql`before.settled_at`, sql`coalesce(seal.sealed_at, now())`)} as misdated
    from edge left join matching on true
    left join lateral (
      select number, sealed_at from audit_seal where last_id >= matching.id order by last_id limit 1
    ) as seal on true
    left join audit_seal as before
      on before.number = coalesce(seal.number, (select max(number) + 1 from audit_seal)) - 1
    order by matching.id desc`.execute(db);
  const lines = rows.filter((row) => row.id !== null);
  const links = await readLinks(db, lines);
  const found = await Promise.all(lines.map((row) => toLine(vault, row, links)));
  const items = found.slice(0, limit);
  const cursorAfter = found.length > limit ? items.at(-1)?.audit_id : rows[0]?.last_scanned_id;
  return { items, next_cursor: cursorAfter ?? null };
}

/** Whose link began a session: its maker, and the name that this has now. */
interface LinkBy {
  readonly id: string;
  readonly name: string | null;
}

/** Of the sessions of some lines, those that somebody else's link began, by what the lines of their sign-ins say. */
async function readLinks(
  db: Store['db'],
  lines: readonly Pick<LineRow, 'session_id'>[],
): Promise<ReadonlyMap<string, LinkBy>> {
  const sessionIds = [...new Set(lines.flatMap(({ session_id: id }) => id ?? []))];
  if (sessionIds.length === 0) return new Map();
  const { rows } = await sql<{ session_id: string; link_by: string; name: string | null }>`
    select session_id, link_by, ${subjectNameOf('link_by')} as name from (
      select subject_id as session_id, pg_catalog.substring(details, '^[{]"link_by":[[]"([a-z_0-9]+)"') as link_by
      from access_log
      where operation = 'sessions.signIn' and outcome = 'done' and subject_id = any (${sessionIds})
    ) as signed_in where link_by is not null`.execute(db);
  return new Map(rows.map(({ session_id, link_by: id, name }) => [session_id, { id, name: nameIn(name) }]));
}

interface ScannedRow extends LineRow {
  last_scanned_id: string | null;
}

interface LineRow extends Omit<
  AuditLine,
  'audit_id' | 'at' | 'name' | 'link_by' | 'link_by_name' | 'change' | 'reason' | 'fresh_sign_in'
> {
  id: string;
  at: Date;
  /** JSON strings. */
  actor_name: string | null;
  account_name: string | null;
  request_account_name: string | null;
  subject_name: string | null;
  /** JSON; see `AccessDetails`. */
  details: string | null;
}

async function toLine(vault: Vault, row: LineRow, links: ReadonlyMap<string, LinkBy>): Promise<AuditLine> {
  const link = row.session_id === null ? undefined : links.get(row.session_id);
  const { id, at, actor_name: name, details } = row;
  const { reason, isFresh } = row.operation === 'sessions.breakGlass' ? emergencyIn(details) : NO_EMERGENCY;
  return {
    audit_id: id,
    at: at.toISOString(),
    operation: row.operation,
    outcome: row.outcome,
    key_id: row.key_id,
    name: nameIn(name),
    session_id: row.session_id,
    link_by: link?.id ?? null,
    link_by_name: link?.name ?? null,
    address: row.address,
    account_id: row.account_id,
    account_name: nameIn(row.account_name),
    request_id: row.request_id,
    request_count: row.request_count,
    request_account_id: row.request_account_id,
    request_account_name: nameIn(row.request_account_name),
    account_mode: row.account_mode,
    subject_id: row.subject_id,
    subject_name: nameIn(row.subject_name),
    change: reason === null && !isSignIn(row) ? details : null,
    misdated: row.misdated,
    emergency: row.emergency,
    reason: reason === null ? null : await openReason(vault, row.subject_id, reason),
    fresh_sign_in: isFresh,
  };
}

/** Null where it does not open: somebody changed the line, which its seal shows. */
async function openReason(vault: Vault, sessionId: string | null, sealed: string): Promise<string | null> {
  try {
    const reason = await vault.decrypt(
      'system',
      placeOfReason(sessionId ?? ''),
      Buffer.from(sealed, 'base64'),
    );
    return reason.toString('utf8');
  } catch (err) {
    if (err instanceof DecryptionError) return null;
    throw err;
  }
}

/** What its details say is in `link_by`. */
const isSignIn = ({ operation, outcome }: LineRow) => operation === 'sessions.signIn' && outcome === 'done';

const NO_EMERGENCY = { reason: null, isFresh: null };

function emergencyIn(details: string | null) {
  const { reason, is_fresh: isFresh } = (jsonIn(details ?? '{}') ?? {}) as Record<string, unknown>;
  return {
    reason: typeof reason === 'string' ? reason : null,
    isFresh: typeof isFresh === 'boolean' ? isFresh : null,
  };
}

function nameIn(json: string | null): string | null {
  if (json === null) return null;
  const name = jsonIn(json);
  return typeof name === 'string' ? name : json;
}

/** Undefined for what the service did not write. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * What a line reveals about its actor: nothing if the actor is beyond the caller's reach, as a live operator who
 * handled a test account's request is. The subject is hidden as well, since it may be live, such as a held output
 * applied to that request. The service's own workers, such as `sandbox`, have no key and are shown. Filters use these
 * values, so they cannot be used to probe.
 */
const shown = {
  name: sql`case when sees_actor then actor_name end`,
  keyId: sql`case when sees_actor or key_id not similar to '(key|stf)\\_%' then key_id end`,
  accountId: sql`case when sees_actor then account_id end`,
  subjectId: sql`case when sees_actor then subject_id end`,
};

/** A column about the actor, null where they are beyond reach. */
const ofActor = (column: string) =>
  sql`case when sees_actor then ${sql.ref(column)} end as ${sql.ref(column)}`;

function conditions(search: AuditSearch): RawBuilder<boolean>[] {
  const { caller, keyId, name, accountId, accountMode, operation, requestId, subjectId, since, until } =
    search;
  return [
    reached(caller),
    ...(requestId === undefined || reachesAll(caller) ? [] : [isReached(caller, requestId)]),
    ...(keyId === undefined ? [] : [sql<boolean>`${shown.keyId} = ${keyId}`]),
    ...(name === undefined ? [] : [nameContains(shown.name, name)]),
    ...(accountId === undefined ? [] : [sql<boolean>`${accountId} = any (${accountsShown(caller)})`]),
    ...(accountMode === undefined ? [] : [sql<boolean>`${LINE_MODE} = ${accountMode}`]),
    ...(operation === undefined ? [] : [sql<boolean>`operation = ${operation}`]),
    ...(subjectId === undefined ? [] : [sql<boolean>`${shown.subjectId} = ${subjectId}`]),
    ...(since === undefined ? [] : [sql<boolean>`at >= ${since}`]),
    ...(until === undefined ? [] : [sql<boolean>`at < ${until}`]),
  ];
}

/** Whether a line is about tests: by the accounts of its requests; without a request, by the actor's. */
const LINE_MODE = sql<'live' | 'test'>`case when (
    select bool_and(mode = 'test') from account where account.id = any (
      case when cardinality(request_account_ids) > 0 then request_account_ids else array[scanned.account_id] end)
  ) then 'test' else 'live' end`;

/** Decided by the accounts of the line's requests; for a line without a request, by the actor. */
function reached(caller: Caller): RawBuilder<boolean> {
  if (reachesAll(caller)) return sql<boolean>`true`;
  return sql<boolean>`case when request_id is null and request_ids is null then sees_actor
    else cardinality(${accountsShown(caller)}) > 0 end`;
}

const reachesAll = ({ acrossAccounts, mode }: Caller) => acrossAccounts === true && mode === 'live';

/** Otherwise a list would show that a request beyond reach was in it, next to one within. */
const isReached = (caller: Caller, requestId: string) =>
  sql<boolean>`exists (
    select from request where request.id = ${requestId} and ${within(caller, 'request.account_id')})`;

/** The accounts of a line's requests that are within the caller's reach. */
const accountsShown = (caller: Caller) =>
  reachesAll(caller)
    ? sql`request_account_ids`
    : sql`array(select id from unnest(request_account_ids) as reached (id) where ${within(caller, 'reached.id')})`;

/** How many requests a line concerns, and their account where they have one, as far as the caller reaches. */
function requestsShown(caller: Caller) {
  const accounts = accountsShown(caller);
  const listed = reachesAll(caller)
    ? sql`cardinality(request_ids)`
    : sql`(select count(*)::int from request
        where request.id = any (request_ids) and ${within(caller, 'request.account_id')})`;
  return sql`case when request_ids is null then (request_id is not null)::int else ${listed} end as request_count,
    case when cardinality(${accounts}) = 1 then (${accounts})[1] end as request_account_id`;
}

/**
 * The lines about a request, also those of lists that it was in, as a table: two indexes, each in its own part, since an
 * `or` would have them all read where many lines are asked for.
 */
export const linesAbout = (requestId: string): RawBuilder<unknown> => sql`(
  select * from access_log where request_id = ${requestId}
  union all
  select * from access_log where request_ids @> ${[requestId]}::text[]
) as access_log`;

function and(parts: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return parts.length === 0 ? sql<boolean>`true` : sql.join<boolean>(parts, sql` and `);
}
