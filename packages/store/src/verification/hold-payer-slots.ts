import type { Socket } from 'node:net';
import type pg from 'pg';
import { clientFor } from '../connection/client-for.ts';
import { isPooled } from '../connection/role-settings.ts';
import { PAIR_LOCKS } from '../locks.ts';

/** The payers that only this process asks, of all processes of the service. */
export interface HeldPayerSlots {
  readonly holds: (payerId: string) => boolean;
  /** Through a pooler: other processes hold the same payers. */
  readonly areShared: () => boolean;
  /** Releases all of them. To be called when nothing is under way. */
  readonly close: () => Promise<void>;
}

interface PayerSlotHolding {
  /**
   * A direct connection: a pooler does not keep a lock. Through one, each process holds every payer's slot, and its
   * caps apply to it only.
   */
  readonly connectionString: string;
  readonly payerIds: readonly string[];
  /** A slot with an inquiry under way is not released. */
  readonly isIdle: (payerId: string) => boolean;
  /** Called after this process took slots. */
  readonly onTaken: () => void;
  readonly beatMs?: number;
}

/** Milliseconds between two checks for slots that are free, or due to other processes; and until a reconnect. */
const RENEWAL_MS = 1_000;

/** Milliseconds for an answer; then the connection counts as lost. */
const ANSWER_MS = 5_000;

/**
 * Divides payers among the processes that ask them, so that a payer's cap holds for all of them together. A slot is a
 * lock in a session of its process: whatever ends the process frees it at once, and another one takes it within a
 * second. Each process marks its presence by a shared lock, and takes no more slots than its share.
 *
 * A process whose session is lost begins no inquiry; those under way continue for 20 s at most.
 */
export function holdPayerSlots({
  connectionString,
  payerIds,
  isIdle,
  onTaken,
  beatMs = RENEWAL_MS,
}: PayerSlotHolding): HeldPayerSlots {
  const Client = clientFor(connectionString);
  const held = new Set<string>();
  /** The held slots that belong to another process's share. */
  const leaving = new Set<string>();
  let holdsAll = false;
  let isClosed = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  const lose = (lost: pg.Client) => {
    if (client !== lost) return;
    client = undefined;
    held.clear();
    leaving.clear();
    (lost.connection.stream as Socket).destroy();
  };

  const connect = async (): Promise<pg.Client | undefined> => {
    const next = new Client({ connectionTimeoutMillis: ANSWER_MS });
    client = next;
    next.on('error', () => lose(next));
    next.on('end', () => lose(next));
    await next.connect();
    if (await isPooled(next)) {
      await next.end();
      holdsAll = true;
      onTaken();
      return undefined;
    }
    await next.query('select pg_advisory_lock_shared($1, 0)', [PAIR_LOCKS.payerSlot]);
    return next;
  };

  const beat = async () => {
    const current = client ?? (await connect());
    if (!current) return;
    const { rows } = await current.query<{ count: number }>(
      `select count(*)::int as count from pg_locks
       where locktype = 'advisory' and classid = $1 and objid = 0 and objsubid = 2 and granted
         and database = (select oid from pg_database where datname = current_database())`,
      [PAIR_LOCKS.payerSlot],
    );
    const share = Math.ceil(payerIds.length / Math.max(rows[0]?.count ?? 1, 1));
    leaving.clear();
    for (const payerId of [...held].slice(share)) leaving.add(payerId);
    for (const payerId of leaving) {
      if (!isIdle(payerId)) continue;
      held.delete(payerId);
      await current.query('select pg_advisory_unlock($1, hashtext($2))', [PAIR_LOCKS.payerSlot, payerId]);
    }
    const before = held.size;
    for (const payerId of payerIds) {
      if (held.size >= share) break;
      if (held.has(payerId)) continue;
      const { rows: taken } = await current.query<{ isMine: boolean }>(
        'select pg_try_advisory_lock($1, hashtext($2)) as "isMine"',
        [PAIR_LOCKS.payerSlot, payerId],
      );
      if (taken[0]?.isMine && client === current) held.add(payerId);
    }
    if (held.size > before) onTaken();
  };

  const round = async () => {
    const asked = client;
    const patience = setTimeout(() => asked && lose(asked), ANSWER_MS);
    await beat().catch(() => client && lose(client));
    clearTimeout(patience);
    if (!isClosed && !holdsAll) timer = setTimeout(() => (beating = round()), beatMs);
  };
  let beating = round();

  return {
    areShared: () => holdsAll,
    holds: (payerId) => holdsAll || (held.has(payerId) && !leaving.has(payerId)),
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await beating;
      held.clear();
      await client?.end().catch(() => undefined); // a broken connection may fail to close
    },
  };
}
