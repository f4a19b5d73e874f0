import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { type LineRange, readPages } from './pages.ts';
import { HASH_BYTES, LEAF_PREFIX, type TreeEdge } from './tree.ts';

/** A line of the audit, as its record has it. */
interface RecordedLine {
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
  /** As PostgreSQL writes an array: `{req_…,req_…}`. */
  readonly requestIds: string | null;
  /** The same, of accounts. */
  readonly requestAccountIds: string | null;
}

/** The columns of a leaf, in its order. Each is text but these three. */
const COLUMNS = [
  'id',
  'at',
  'key_id',
  'account_id',
  'operation',
  'request_id',
  'subject_id',
  'actor_name',
  'session_id',
  'address',
  'emergency',
  'outcome',
  'details',
  'request_ids',
  'request_account_ids',
] as const;

const BINARY: Readonly<Record<string, string>> = {
  id: 'int8send(id::bigint)',
  at: 'timestamptz_send(at::timestamptz)',
  emergency: 'boolsend(emergency::boolean)',
};

const bytesOf = (name: string) => BINARY[name] ?? `convert_to(${name}::text, 'UTF8'::name)`;
const valueOf = (bytes: string) =>
  `coalesce(int4send(octet_length(${bytes})) || ${bytes}, '\\xffffffff'::bytea)`;

/**
 * What the leaf of a line holds, with its prefix, as an SQL expression: for each of {@link COLUMNS} the length of its bytes
 * and the bytes, numbers in network order. A null has the length -1 and no bytes; a time is in microseconds since
 * 2000-01-01; text is UTF-8. apps/docs/audit.md specifies it for other programs.
 *
 * `record_send` takes 2 µs a line instead of 4. But it writes the OID of each column's type, and the OID of a domain is
 * another in each database: after a dump and a restore every line counted as altered.
 *
 * Each argument is cast to what the server's function takes: a function of the database's own that fits better, such as
 * `convert_to(issued_id, name)`, would be called in its place.
 */
const LEAF_OF_LINE = sql.raw<Buffer>(
  [`'\\x00'::bytea`, ...COLUMNS.map((name) => valueOf(bytesOf(name)))].join(' || '),
);

const LENGTH_BYTES = 4;

/** Microseconds from 1970 to 2000, where PostgreSQL's time begins. */
const EPOCH_US = 946_684_800_000_000n;

/** The leaves in what the server concatenated, in order. They share its memory. */
function* leavesIn(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length;) {
    let at = start + 1;
    for (const _ of COLUMNS) at += LENGTH_BYTES + Math.max(bytes.readInt32BE(at), 0);
    yield bytes.subarray(start, at);
    start = at;
  }
}

/** The line in a leaf; undefined where it holds none. */
export function readLeaf(leaf: Buffer): RecordedLine | undefined {
  try {
    if (leaf[0] !== LEAF_PREFIX) return undefined;
    const values = new Map<string, Buffer>();
    let at = 1;
    for (const name of COLUMNS) {
      const length = leaf.readInt32BE(at);
      at += LENGTH_BYTES;
      if (length >= 0) values.set(name, leaf.subarray(at, at + length));
      at += Math.max(length, 0);
    }
    const [id, time, emergency] = [values.get('id'), values.get('at'), values.get('emergency')];
    if (at !== leaf.length || !id || !time || !emergency) return undefined;
    const textOf = (name: (typeof COLUMNS)[number]) => values.get(name)?.toString('utf8') ?? null;
    return {
      id: id.readBigInt64BE().toString(),
      at: timeOf(time.readBigInt64BE()),
      keyId: textOf('key_id'),
      accountId: textOf('account_id'),
      operation: textOf('operation'),
      requestId: textOf('request_id'),
      subjectId: textOf('subject_id'),
      actorName: textOf('actor_name'),
      sessionId: textOf('session_id'),
      address: textOf('address'),
      emergency: emergency[0] === 1,
      outcome: textOf('outcome'),
      details: textOf('details'),
      requestIds: textOf('request_ids'),
      requestAccountIds: textOf('request_account_ids'),
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

/** Leaves after which others get their turn: about a millisecond's. */
const TURN_COUNT = 500;

/** The leaves of all lines in a range, in the order of their ids, whatever lies between. */
export async function* readLeaves(db: Kysely<Tables>, range: LineRange): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const page of readPages(db, range, LEAF_OF_LINE)) {
    for (const leaf of leavesIn(page)) {
      count += 1;
      if (count % TURN_COUNT === 0) await setImmediate();
      yield leaf;
    }
  }
}

/** Bytes of hashes after which others get their turn: about a millisecond's. */
const TURN_BYTES = 2_000 * HASH_BYTES;

/**
 * Adds the lines of a range to a tree. The server hashes them, which halves what sealing costs: it need not send them.
 * A verifier reads and hashes the lines themselves.
 */
export async function addLines(db: Kysely<Tables>, edge: TreeEdge, range: LineRange): Promise<void> {
  for await (const page of readPages(db, range, sql<Buffer>`sha256(${LEAF_OF_LINE})`)) {
    for (let at = 0; at < page.length; at += HASH_BYTES) {
      if (at % TURN_BYTES === 0) await setImmediate();
      edge.add(page.toString('latin1', at, at + HASH_BYTES));
    }
  }
}
