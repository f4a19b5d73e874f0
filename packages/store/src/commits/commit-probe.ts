import pg from 'pg';

/** What a tiny commit of our own came to. Nothing in time is `silent`. */
export type ProbeAnswer = 'written' | 'read_only' | 'silent';

/** Milliseconds that a kept connection, and then a new one, may be silent; a new one alone twice as long. */
const SILENT_MS = 400;

/** Seconds after which a commit that still hangs is cut, so that those of one outage take no more than two backends. */
const CUT_SECONDS = 10;

/**
 * A commit that waits for the disk and for the standbys as any other does, and changes no table: a message in the log
 * that nobody reads. Null on a standby and on a server set to be read-only, which would refuse a table but not this.
 */
const PROBE = `select case when pg_is_in_recovery() or current_setting('transaction_read_only')::boolean then null
  else pg_logical_emit_message(true, 'insurance-verification', 'probe')::text end as written`;

/** Cut, the wait ends and the message stays: it says nothing to anybody. The requests of others are never cut so. */
const CUT = `select pg_cancel_backend(pid) from pg_stat_activity
  where usename = current_user and datname = current_database() and state = 'active' and query = $1
    and query_start < now() - make_interval(secs => ${CUT_SECONDS} - 2)`;

/** Asks the database for a commit, on connections of its own. */
export class CommitProbe {
  readonly #Client: typeof pg.Client;
  readonly #onAnswer: (answer: 'written' | 'read_only') => void;
  /** The connection that answered last; null while it is in use. */
  #kept: pg.Client | null = null;
  /** Commits that have not answered yet, with the `performance.now()` of their beginning. */
  readonly #open = new Map<pg.Client, number>();
  #isClosed = false;

  /** @param onAnswer told of each answer, also of one that comes long after its question. */
  constructor(Client: typeof pg.Client, onAnswer: (answer: 'written' | 'read_only') => void) {
    this.#Client = Client;
    this.#onAnswer = onAnswer;
  }

  /**
   * Asks on the kept connection; and where that is silent, which a dead one is too, on a new one beside it.
   * @throws {Error} when the database is away.
   */
  async ask(): Promise<ProbeAnswer> {
    const asked: Promise<'written' | 'read_only'>[] = [];
    if (this.#kept) {
      asked.push(this.#write(this.#kept));
      const answer = await inTime(asked).catch(() => 'silent' as const); // it broke: a new one tells
      if (answer !== 'silent') return answer;
    }
    let client: pg.Client;
    try {
      client = await this.#connect();
    } catch (err) {
      // Those that hang may hold the last of the server's connections.
      if (asked.length > 0 && err instanceof pg.DatabaseError && err.code === '53300') return 'silent';
      throw err;
    }
    asked.push(this.#write(client));
    return inTime(asked, asked.length > 1 ? SILENT_MS : 2 * SILENT_MS);
  }

  /** While commits hang: asks again where no question is open any more, or the open ones have waited long. */
  async askAgain(): Promise<void> {
    const waiting = [...this.#open.keys()];
    const oldest = Math.min(...this.#open.values());
    if (waiting.length > 0 && performance.now() - oldest < CUT_SECONDS * 1_000) return;
    const client = await this.#connect();
    if (waiting.length > 0) {
      await client.query(CUT, [PROBE]);
      for (const each of waiting) destroy(each);
    }
    await inTime([this.#write(client)]);
  }

  /** The next question goes over a new connection, since the kept one may lead to another server than those do. */
  forget(): void {
    void this.#kept?.end().catch(() => undefined);
    this.#kept = null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const client of this.#open.keys()) destroy(client);
    await this.#kept?.end().catch(() => undefined);
  }

  async #connect(): Promise<pg.Client> {
    const client = new this.#Client({
      connectionTimeoutMillis: 2_000,
      keepAlive: true,
      application_name: 'insurance-verification-probe',
    });
    client.on('error', () => undefined); // the statement under way, or the next one, reports it
    await client.connect();
    if (!this.#isClosed) return client;
    destroy(client);
    throw new Error('The probe is closed.');
  }

  async #write(client: pg.Client): Promise<'written' | 'read_only'> {
    if (this.#kept === client) this.#kept = null;
    this.#open.set(client, performance.now());
    let wasCut = false;
    const onNotice = () => (wasCut = true); // "canceling wait for synchronous replication"
    client.on('notice', onNotice);
    try {
      const answer = await commitOn(client);
      if (wasCut) throw new Error('The wait was cut.');
      this.#keep(client, answer);
      this.#onAnswer(answer);
      return answer;
    } catch (err) {
      destroy(client);
      throw err;
    } finally {
      client.off('notice', onNotice);
      this.#open.delete(client);
    }
  }

  /** A new connection may lead past a read-only server, so that one is not kept. */
  #keep(client: pg.Client, answer: ProbeAnswer): void {
    // What was asked before and is silent still is dead, or hangs to its end alone.
    for (const each of this.#open.keys()) {
      if (each === client) break;
      destroy(each);
    }
    if (this.#kept || this.#isClosed || answer === 'read_only') void client.end().catch(() => undefined);
    else this.#kept = client;
  }
}

/** Codes of a server that knows no such message, or gives no right to write one: there nothing can be found out. */
const cannotTell = new Set(['42501', '42883', '0A000']);

async function commitOn(client: pg.Client): Promise<'written' | 'read_only'> {
  try {
    const { rows } = await client.query<{ written: string | null }>(PROBE);
    return rows[0]?.written == null ? 'read_only' : 'written';
  } catch (err) {
    if (err instanceof pg.DatabaseError && cannotTell.has(err.code ?? '')) return 'written';
    throw err;
  }
}

/** The first answer in time. @throws when all have failed */
async function inTime(
  asked: readonly Promise<'written' | 'read_only'>[],
  silentMs = SILENT_MS,
): Promise<ProbeAnswer> {
  const { promise: silence, resolve } = Promise.withResolvers<'silent'>();
  // What has come meanwhile is read first: a process that was busy would else take its own silence for the database's.
  const timer = setTimeout(() => setImmediate(() => setImmediate(resolve, 'silent')), silentMs);
  for (const each of asked) each.catch(() => undefined); // heard below, or too late
  try {
    return await Promise.race([silence, Promise.any(asked)]);
  } catch (err) {
    throw err instanceof AggregateError ? err.errors.at(-1) : err;
  } finally {
    clearTimeout(timer);
  }
}

function destroy(client: pg.Client): void {
  (client.connection.stream as { destroy(): void }).destroy();
}
