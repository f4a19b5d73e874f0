import pg from 'pg';
import { clientConfig } from './client-config.ts';
import type { DatabaseAddress, DatabaseHost } from './database-address.ts';
import { DatabaseNotWritableError } from './database-not-writable-error.ts';

/** Milliseconds for a server to report its role. Less than the two seconds that a new connection may take. */
const ANSWER_MS = 1_500;

/**
 * Finds the server that takes writes, since node-postgres supports only one host. The search runs when a connection is
 * made and the last known primary may have changed, once for all waiting connections.
 */
export class Primary {
  readonly #address: DatabaseAddress;
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
      const { rows } = await client.query<{ isReadOnly: boolean }>(
        `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`,
      );
      if (rows[0]?.isReadOnly) throw new DatabaseNotWritableError('25006');
      return host;
    } finally {
      void client.end().catch(() => undefined); // its answer is in, or it failed
    }
  }
}
