import type { ErasureCertificate } from '@insurance-verification/schema';
import type { RecordedOperation } from '@insurance-verification/schema/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Store } from '../open-store.ts';
import type { Actor } from './caller.ts';

/** One line of `access_log`. */
export interface Access {
  readonly caller: {
    readonly keyId: string | null;
    readonly accountId: string | null;
    readonly by?: Actor | undefined;
    readonly look?: Buffer | undefined;
  } | null;
  readonly operation: RecordedOperation;
  /** Those that it read or changed; several in one line. */
  readonly requestIds?: readonly string[];
  /** The account, key, person, session or held output that was affected or created. */
  readonly subjectId?: string;
  /** Default: done. */
  readonly outcome?: 'done' | 'refused';
  readonly details?: AccessDetails;
}

/** What a line says about what was done. Never a patient's data: the log is permanent. */
export type AccessDetails =
  /** What was set. `before`: null where it was made. */
  | { readonly before: Settings | null; readonly after: Settings }
  /**
   * Why emergency access was taken, encrypted, base64; and whether with a fresh sign-in, null where a key took it.
   */
  | { readonly reason: string; readonly is_fresh: boolean | null }
  /** Whose link signed the person in, where somebody else made it: the maker first. */
  | { readonly link_by: readonly string[] }
  /** What an erasure did. */
  | { readonly certificate: ErasureCertificate }
  /** How somebody tried to sign in, and why they were refused. */
  | { readonly way: SignInWay; readonly refusal: string };

/** How a person signs in. */
export type SignInWay = 'link' | 'provider' | 'passkey';

type Settings = Readonly<Record<string, unknown>>;

/** The columns of `access_log` that say who acts, for the statements that write lines of their own. */
export const actorColumns = (by: Actor | undefined) => ({
  actor_name: by?.name == null ? null : JSON.stringify(by.name),
  session_id: by?.sessionId ?? null,
  address: by?.address ?? null,
  emergency: by?.isEmergency ?? false,
});

/**
 * Records who did or saw what. Append-only: one line for a call, however many requests it concerns. A person's page
 * reads again what it shows: within {@link LOOK_MINUTES} of a look a line is only about requests that were not in it.
 */
export function recordAccess(db: Store['db'], access: Access): Promise<void> {
  const sessionId = access.caller?.by?.sessionId;
  const look = access.caller?.look;
  return sessionId != null && look
    ? recordLook(db, access, { sessionId, look })
    : recordAccesses(db, [access]);
}

/** Records several accesses in one statement. */
export async function recordAccesses(db: Store['db'], accesses: readonly Access[]): Promise<void> {
  if (accesses.length === 0) return;
  await insertAccesses(db, accesses).execute();
}

/** Builds the statement that records accesses, at least one. */
export const insertAccesses = (db: Store['db'], accesses: readonly Access[]) =>
  db.insertInto('access_log').values(accesses.map(lineOf));

const lineOf = (access: Access) => {
  const { requestIds = [] } = access;
  return { ...actOf(access), ...about(sql`${[...requestIds]}::text[]`) };
};

/** The columns of a line that say who did what. */
const actOf = ({ caller, operation, subjectId, outcome = 'done', details }: Access) => ({
  key_id: caller?.keyId ?? null,
  account_id: caller?.accountId ?? null,
  operation,
  subject_id: subjectId ?? null,
  ...actorColumns(caller?.by),
  outcome,
  details: details === undefined ? null : JSON.stringify(details),
});

/** The columns of a line that say about which requests, and whose they are, of an array of their ids. */
const about = (ids: RawBuilder<unknown>) => ({
  request_id: sql<string | null>`case when cardinality(${ids}) = 1 then (${ids})[1] end`,
  request_ids: sql<string[] | null>`case when cardinality(${ids}) > 1 then ${ids} end`,
  request_account_ids: sql<string[] | null>`(
    select array_agg(distinct account_id::text) from request where id = any (${ids}))`,
});

/** How long a look lasts from its first reading. */
export const LOOK_MINUTES = 15;

/**
 * Writes the line and remembers what was seen, in one statement: neither is there without the other, whichever process
 * of the service a page asks. Of two equal readings at the same moment, the second waits for the first, and has none.
 */
async function recordLook(
  db: Store['db'],
  access: Access,
  { sessionId, look }: { readonly sessionId: string; readonly look: Buffer },
): Promise<void> {
  const act = actOf(access);
  const line = { ...act, emergency: sql`${act.emergency}::boolean`, ...about(sql`unseen.ids`) };
  const lasts = sql<boolean>`look.began_at > now() - make_interval(mins => ${sql.lit(LOOK_MINUTES)})`;
  const without = (ids: RawBuilder<unknown>, seen: RawBuilder<unknown>) =>
    sql`array(select id from unnest(${ids}) with ordinality as asked (id, place) where id <> all (${seen}) order by place)`;
  await sql`
    with asked as (
      select ${[...(access.requestIds ?? [])]}::text[] as ids
    ), unseen as (
      select ${without(sql`asked.ids`, sql`coalesce(look.request_ids, '{}')`)} as ids, look.session_id is null as is_first
      from asked left join look on look.session_id = ${sessionId} and look.operation = ${access.operation}
        and look.asked = ${look} and ${lasts}
    ), kept as (
      insert into look as look (session_id, operation, asked, request_ids)
      select ${sessionId}, ${access.operation}, ${look}, asked.ids from asked, unseen
      where is_first or unseen.ids <> '{}'
      on conflict (session_id, operation, asked) do update set
        began_at = case when ${lasts} then look.began_at else now() end,
        request_ids = case when ${lasts}
          then look.request_ids || ${without(sql`excluded.request_ids`, sql`look.request_ids`)}
          else excluded.request_ids end
      where not (${lasts} and excluded.request_ids <@ look.request_ids)
      returning 1
    )
    insert into access_log (${sql.join(Object.keys(line).map((name) => sql.ref(name)))})
    select ${sql.join(Object.values(line))} from kept, unseen`.execute(db);
}
