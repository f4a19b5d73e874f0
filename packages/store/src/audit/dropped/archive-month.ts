import type { Kysely } from 'kysely';
import type { Store } from '../../open-store.ts';
import { type Month, monthAfter, startOf } from '../../partitions/month.ts';
import type { Tables } from '../../tables.ts';
import { readLeaf } from '../lines/line-record.ts';
import { readLeaves } from '../lines/read-leaves.ts';
import { linesOfMonth, type MonthLines } from './lines-of-month.ts';

export type MonthArchive =
  /** `parts`: the archive's text, some hundred lines each. */
  | { readonly kind: 'found'; readonly lineCount: () => number; readonly parts: AsyncIterable<string> }
  /** More lines may come. */
  | { readonly kind: 'not_over' }
  | { readonly kind: 'no_lines' };

interface ArchivedMonth {
  readonly month: Month;
  readonly now?: number;
}

/**
 * The archive of a month's lines, which a drop demands: a line of JSON for each, in the order of ids, with all that its
 * seal is over. It is the same text whenever it is made.
 */
export async function archiveMonth(
  { db }: Pick<Store, 'db'>,
  { month, now = Date.now() }: ArchivedMonth,
): Promise<MonthArchive> {
  if (now < startOf(monthAfter(month))) return { kind: 'not_over' };
  const lines = await linesOfMonth(db, month);
  if (!lines) return { kind: 'no_lines' };
  let count = 0;
  const counted = async function* () {
    for await (const part of archiveParts(db, lines)) {
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
export async function* archiveParts(
  db: Kysely<Tables>,
  { range }: Pick<MonthLines, 'range'>,
): AsyncGenerator<ArchivePart> {
  let texts: string[] = [];
  for await (const leaf of readLeaves(db, range)) {
    texts.push(archivedLine(leaf));
    if (texts.length < LINES_PER_PART) continue;
    yield { text: texts.join(''), lineCount: texts.length };
    texts = [];
  }
  if (texts.length > 0) yield { text: texts.join(''), lineCount: texts.length };
}

/** With the fields and in the order of an exported line; its time is as precise as the database has it. */
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
  })}\n`;
}
