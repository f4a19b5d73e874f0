import { sql } from 'kysely';
import { LEAF_PREFIX } from '../tree.ts';

/** A line of the audit, as its record has it. */
export interface RecordedLine {
  readonly id: string;
  /** With microseconds, in UTC. */
  readonly at: string;
  readonly keyId: string | null;
  readonly accountId: string | null;
  readonly operation: string | null;
  readonly requestId: string | null;
  readonly subjectId: string | null;
  readonly actorName: string | null;
  readonly sessionId: string | null;
  readonly address: string | null;
  readonly emergency: boolean;
  readonly outcome: string | null;
  readonly details: string | null;
}

/**
 * A line's record, which its leaf of the tree holds: PostgreSQL's binary form of the row
 * `(id bigint, at timestamptz, emergency boolean, key_id text, account_id text, operation text,
 * request_id text, subject_id text, actor_name text, session_id text, address text, outcome text, details text)`. It is
 * the number of columns, then for each the OID of its type, its length and its bytes, numbers in network order. A null has
 * the length -1 and no bytes; a time is in microseconds since 2000-01-01; text is UTF-8. So nothing depends on the order
 * of columns, on settings of the session or on spaces.
 */
const RECORD = `record_send(row(
  id, at, emergency, key_id::text, account_id::text, operation, request_id::text, subject_id::text, actor_name,
  session_id::text, address, outcome, details))`;

/** What the leaf of a line holds, with its prefix, as an SQL expression. */
export const LEAF_OF_LINE = sql.raw<Buffer>(`'\\x00'::bytea || ${RECORD}`);

const COLUMN_COUNT = 13;
const INT_BYTES = 4;

/** Microseconds from 1970 to 2000, where PostgreSQL's time begins. */
const EPOCH_US = 946_684_800_000_000n;

/** The leaves in what the server concatenated, in order. They share its memory. */
export function* leavesIn(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length;) {
    let at = start + 1 + INT_BYTES;
    for (let column = 0; column < COLUMN_COUNT; column += 1) {
      const length = bytes.readInt32BE(at + INT_BYTES);
      at += 2 * INT_BYTES + (length > 0 ? length : 0);
    }
    yield bytes.subarray(start, at);
    start = at;
  }
}

/** The line in a leaf; undefined where it holds none. */
export function readLeaf(leaf: Buffer): RecordedLine | undefined {
  try {
    if (leaf[0] !== LEAF_PREFIX || leaf.readInt32BE(1) !== COLUMN_COUNT) return undefined;
    const values: (Buffer | null)[] = [];
    let at = 1 + INT_BYTES;
    while (values.length < COLUMN_COUNT) {
      const length = leaf.readInt32BE(at + INT_BYTES);
      at += 2 * INT_BYTES;
      values.push(length < 0 ? null : leaf.subarray(at, at + length));
      at += Math.max(length, 0);
    }
    if (at !== leaf.length) return undefined;
    const [id, time, emergency, ...others] = values;
    if (!id || !time || !emergency) return undefined;
    const texts = others.map((text) => text?.toString('utf8') ?? null);
    const [keyId = null, accountId = null, operation = null, requestId = null, subjectId = null] = texts;
    const [actorName = null, sessionId = null, address = null, outcome = null, details = null] =
      texts.slice(5);
    return {
      id: id.readBigInt64BE().toString(),
      at: timeOf(time.readBigInt64BE()),
      keyId,
      accountId,
      operation,
      requestId,
      subjectId,
      actorName,
      sessionId,
      address,
      emergency: emergency[0] === 1,
      outcome,
      details,
    };
  } catch (err) {
    if (err instanceof RangeError) return undefined; // ends too soon
    throw err;
  }
}

function timeOf(microseconds: bigint): string {
  const us = microseconds + EPOCH_US;
  const ms = new Date(Number(us / 1_000n)).toISOString();
  return ms.replace('Z', `${String(us % 1_000n).padStart(3, '0')}Z`);
}
