import pg from 'pg';
import { clientConfig } from './client-config.ts';
import type { DatabaseAddress, DatabaseHost } from './database-address.ts';

/** Milliseconds for a server to report its role. Less than the two seconds that a new connection may take. */
const ANSWER_MS = 1_500;

/**
 * Finds the server that takes writes, since node-postgres supports only one host. The search runs when a connection is
 * made and the last known primary may have changed, once for all waiting connections.
 */
export class Primary {
  readonly #address: DatabaseAddress;
  /**
   * Every promotion begins a timeline with a higher number. A primary that was frozen while a standby was promoted wakes
   * up as one that takes writes, on an older timeline: what it answers is out of date.
   */
  #timeline = 0;
  #known: DatabaseHost | null;
  #search: Promise<DatabaseHost> | null = null;

  constructor(address: DatabaseAddress) {
    this.#address = address;
    const [first, second] = address.hosts;
    this.#known = second === undefined ? (first ?? null) : null;
  }

  /**
   * @throws {DatabaseNotWritableError} when the servers that answer are standbys; otherwise the first server's error.
   */
  async find(): Promise<DatabaseHost> {
    if (this.#known) return this.#known;
    this.#search ??= this.#ask().finally(() => (this.#search = null));
    return (this.#known = await this.#search);
  }

  /** The last known primary was unreachable or refused a write. */
  forget(): void {
    if (this.#address.hosts.length > 1) this.#known = null;
  }

  async #ask(): Promise<DatabaseHost> {
    try {
      return await Promise.any(this.#address.hosts.map((host) => this.#askOne(host)));
    } catch (err) {
      const errors = err instanceof AggregateError ? err.errors : [err];
      throw errors.find((each) => each instanceof DatabaseNotWritableError) ?? errors[0];
    }
  }

  async #askOne(host: DatabaseHost): Promise<DatabaseHost> {
    const client = new pg.Client({
      ...clientConfig(this.#address, host),
      connectionTimeoutMillis: ANSWER_MS,
    });
    client.on('error', () => undefined); // the current statement reports it
    try {
      await client.connect();
      const { rows } = await client.query<{ isReadOnly: boolean; timeline: string | null }>(
        `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly",
          case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`,
      );
      const timeline = Number.parseInt(rows[0]?.timeline ?? '0', 16);
      if (rows[0]?.isReadOnly || timeline < this.#timeline) throw new DatabaseNotWritableError('25006');
      this.#timeline = timeline;
      return host;
    } finally {
      void client.end().catch(() => undefined); // its answer is in, or it failed
    }
  }
}

/**
 * Why a server can write no page, by PostgreSQL's code: its disk is full (`53100`), its data folder or a file of it is gone
 * (`58P01`), its disk fails (`58030`).
 */
export type PageFault = '53100' | '58P01' | '58030';

const WHY_NOT = {
  '25006': 'The database cannot be written: it is a standby, or set to be read-only.',
  commits_hang: 'The database does not end its commits.',
  '53100': "The database's disk is full.",
  '58P01': "The database's data folder, or a file of it, is gone.",
  '58030': "The database's disk fails.",
} as const;

/** The database answers but takes no writes. It passes when a standby is promoted or connections lead elsewhere. */
export class DatabaseNotWritableError extends Error {
  override readonly name = 'DatabaseNotWritableError';
  /**
   * `25006`, PostgreSQL's own code: a standby, or read-only. `commits_hang`: commits do not finish. Others: see
   * {@link PageFault}.
   */
  readonly code: '25006' | 'commits_hang' | PageFault;

  constructor(code: DatabaseNotWritableError['code']) {
    super(WHY_NOT[code]);
    this.code = code;
  }
}
