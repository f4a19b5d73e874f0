import { type Kysely, sql } from 'kysely';
import { firstIdOf, type Month, monthAfter, partOf } from '../months/log-parts.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import { readLeaf, readLeaves } from './line-record.ts';
import { BEFORE_ALL, firstLine, type LineRange } from './pages.ts';

type MonthArchive =
  /** `parts`: the archive's text, some hundred lines each; none for a month without a line. */
  | { readonly kind: 'found'; readonly lineCount: () => number; readonly parts: AsyncIterable<string> }
  /** More lines may come: none of a later month is there. */
  | { readonly kind: 'not_over' }
  /** The log has no part of that month. */
  | { readonly kind: 'unknown_month' };

/**
 * The archive of a month's lines, which a drop demands: a line of JSON for each, in the order of ids, with all that its
 * seal is over. It is the same text whenever it is made.
 */
export async function archiveMonth(
  { db }: Pick<Store, 'db'>,
  { month }: { readonly month: Month },
): Promise<MonthArchive> {
  const range = await rangeOfMonth(db, month);
  if (!range) return { kind: 'unknown_month' };
  if (!(await isOver(db, month))) return { kind: 'not_over' };
  let count = 0;
  const counted = async function* () {
    for await (const part of archiveParts(db, range)) {
      count += part.lineCount;
      yield part.text;
    }
  };
  return { kind: 'found', lineCount: () => count, parts: counted() };
}

interface ArchivePart {
  readonly text: string;
  readonly lineCount: number;
}

const LINES_PER_PART = 500;

/** The text of an archive, part by part. */
export async function* archiveParts(db: Kysely<Tables>, range: LineRange): AsyncGenerator<ArchivePart> {
  let texts: string[] = [];
  for await (const leaf of readLeaves(db, range)) {
    texts.push(archivedLine(leaf));
    if (texts.length < LINES_PER_PART) continue;
    yield { text: texts.join(''), lineCount: texts.length };
    texts = [];
  }
  if (texts.length > 0) yield { text: texts.join(''), lineCount: texts.length };
}

/** All that its seal is over; its time is as precise as the database has it. */
function archivedLine(leaf: Buffer): string {
  const line = readLeaf(leaf);
  if (!line) throw new Error('The server wrote a record of another form.');
  return `${JSON.stringify({
    audit_id: line.id,
    at: line.at,
    key_id: line.keyId,
    account_id: line.accountId,
    operation: line.operation,
    request_id: line.requestId,
    subject_id: line.subjectId,
    actor_name: line.actorName,
    session_id: line.sessionId,
    address: line.address,
    emergency: line.emergency,
    outcome: line.outcome,
    details: line.details,
    request_ids: line.requestIds,
    request_account_ids: line.requestAccountIds,
  })}\n`;
}

/** The ids of a month's part of the log; null where the log has no such part, also where it has been detached. */
export async function rangeOfMonth(db: Kysely<Tables>, month: Month): Promise<LineRange | null> {
  const { rows } = await sql<{ is_first: boolean }>`
    select pg_get_expr(relpartbound, oid) like '%(MINVALUE)%' as is_first from pg_class
    where oid = to_regclass(${partOf(month)}) and relispartition`.execute(db);
  const [part] = rows;
  if (!part) return null;
  return { after: part.is_first ? BEFORE_ALL : firstIdOf(month) - 1n, through: lastIdOf(month) };
}

/** The highest id that a line of a month can have. */
export const lastIdOf = (month: Month): bigint => firstIdOf(monthAfter(month)) - 1n;

/** Whether a later month has a line. Ids never go back, so only transactions under way may still write one of this. */
export async function isOver(db: Kysely<Tables>, month: Month): Promise<boolean> {
  return (await firstLine(db, { after: lastIdOf(month), through: 2n ** 63n - 1n })) !== null;
}
