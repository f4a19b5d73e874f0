import pg from 'pg';

/** The outcome of a tiny probe commit; `silent` means no answer in time. */
export type ProbeAnswer = 'written' | 'read_only' | 'silent';

/** Milliseconds to wait for the kept connection. A new one, made in addition or instead, gets twice as long. */
const SILENT_MS = 400;

/** Seconds after which a hanging probe commit is cancelled, so that an outage's probes hold at most two backends. */
const CUT_SECONDS = 10;

/**
 * A commit that waits for the disk and the standbys like any other but changes no table: it logs a message that no client
 * reads. Null on a standby or a server set to read-only, which would accept this statement although it refuses writes
 * to tables.
 */
const PROBE = `select case when pg_is_in_recovery() or current_setting('transaction_read_only')::boolean then null
  else pg_logical_emit_message(true, 'insurance-verification', 'probe')::text end as written`;

/**
 * Cancelling ends the wait but not the commit, which is harmless for a probe's message. Callers' commits are never
 * cancelled this way.
 */
const CUT = `select pg_cancel_backend(pid) from pg_stat_activity
  where usename = current_user and datname = current_database() and state = 'active' and query = $1
    and query_start < now() - make_interval(secs => ${CUT_SECONDS} - 2)`;

/** Probes the database with a commit, on connections outside the pool. */
export class CommitProbe {
  readonly #Client: typeof pg.Client;
  readonly #onAnswer: (answer: 'written' | 'read_only') => void;
  /** The last connection that answered; null while in use. */
  #kept: pg.Client | null = null;
  /** Unanswered commits, with the `performance.now()` of their start. */
  readonly #open = new Map<pg.Client, number>();
  #isClosed = false;

  /** @param onAnswer called with every answer, including late ones. */
  constructor(Client: typeof pg.Client, onAnswer: (answer: 'written' | 'read_only') => void) {
    this.#Client = Client;
    this.#onAnswer = onAnswer;
  }

  /**
   * Asks on the kept connection. If that stays silent, as a dead one also does, asks on a new one as well. Silent is
   * also a server that refuses connections: it is frozen, or hanging commits hold its last connections.
   * @throws {Error} when the database is unreachable, and no connection is silent.
   */
  async ask(): Promise<ProbeAnswer> {
    if (this.#kept) {
      const asked = this.#write(this.#kept);
      const answer = await inTime([asked]).catch(() => 'broken' as const);
      if (answer === 'silent') return inTime([asked, this.#writeAnew()], 2 * SILENT_MS);
      if (answer !== 'broken') return answer;
    }
    return inTime([this.#write(await this.#connect())], 2 * SILENT_MS);
  }

  /** While commits hang: asks again if no probe is open, or the open ones have waited for long. */
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

  /** Makes the next probe use a new connection, since the kept one may lead to another server than new ones do. */
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
    await client.connect();
    if (!this.#isClosed) return client;
    destroy(client);
    throw new Error('The probe is closed.');
  }

  async #writeAnew(): Promise<'written' | 'read_only'> {
    return this.#write(await this.#connect());
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

  /** Does not keep a connection to a read-only server: a new one may lead to a writable one. */
  #keep(client: pg.Client, answer: ProbeAnswer): void {
    // Earlier connections that are still silent are dead or hang on their own.
    for (const each of this.#open.keys()) {
      if (each === client) break;
      destroy(each);
    }
    if (this.#kept || this.#isClosed || answer === 'read_only') void client.end().catch(() => undefined);
    else this.#kept = client;
  }
}

/**
 * Error codes of a server that lacks the function or denies the right to call it; the probe shows nothing there.
 */
const cannotProbe = new Set(['42501', '42883', '0A000']);

async function commitOn(client: pg.Client): Promise<'written' | 'read_only'> {
  try {
    const { rows } = await client.query<{ written: string | null }>(PROBE);
    return rows[0]?.written == null ? 'read_only' : 'written';
  } catch (err) {
    if (err instanceof pg.DatabaseError && cannotProbe.has(err.code ?? '')) return 'written';
    throw err;
  }
}

/** The first answer in time. @throws when all have failed */
async function inTime(
  asked: readonly Promise<'written' | 'read_only'>[],
  silentMs = SILENT_MS,
): Promise<ProbeAnswer> {
  const { promise: silence, resolve } = Promise.withResolvers<'silent'>();
  // Pending input is read first; otherwise a busy process would take its own delay for the database's silence.
  const timer = setTimeout(() => setImmediate(() => setImmediate(resolve, 'silent')), silentMs);
  for (const each of asked) each.catch(() => undefined); // handled below, or too late to matter
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
