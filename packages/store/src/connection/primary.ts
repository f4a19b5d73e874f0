import pg from 'pg';
import { clientConfig } from './client-config.ts';
import type { DatabaseAddress, DatabaseHost } from './database-address.ts';
import { TIMELINE } from './timeline.ts';

/** Milliseconds for the servers to report their roles. Less than the two seconds that a new connection may take. */
const ANSWER_MS = 1_500;

/**
 * Finds the server that takes writes, since node-postgres supports only one host. The search runs when a connection is
 * made and the last known primary may have changed, once for all waiting connections.
 */
export class Primary {
  readonly #address: DatabaseAddress;
  /**
   * The highest timeline seen. A primary that was frozen while a standby was promoted wakes up as one that takes writes, on
   * an older timeline: what it answers is out of date.
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

  /** Waits for every server that answers in time: of two that take writes, the older one may answer first. */
  async #ask(): Promise<DatabaseHost> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error('timeout expired')), ANSWER_MS);
    const { hosts } = this.#address;
    const answers = await Promise.allSettled(hosts.map((host) => Promise.race([this.#askOne(host), late])));
    clearTimeout(timer);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const [newest] = found.toSorted((one, other) => other.timeline - one.timeline);
    if (newest && newest.timeline >= this.#timeline) {
      this.#timeline = newest.timeline;
      return newest.host;
    }
    if (newest) throw new DatabaseNotWritableError('25006');
    const errors = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason as unknown] : [],
    );
    throw errors.find((each) => each instanceof DatabaseNotWritableError) ?? errors[0];
  }

  /** @throws {DatabaseNotWritableError} when the server takes no writes. */
  async #askOne(host: DatabaseHost): Promise<FoundServer> {
    const client = new pg.Client({
      ...clientConfig(this.#address, host),
      connectionTimeoutMillis: ANSWER_MS,
    });
    client.on('error', () => undefined); // the current statement reports it
    try {
      await client.connect();
      const { rows } = await client.query<{ isReadOnly: boolean; timeline: string | null }>(
        `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly",
          ${TIMELINE} as timeline`,
      );
      const [answer] = rows;
      if (!answer || answer.isReadOnly) throw new DatabaseNotWritableError('25006');
      return { host, timeline: Number(answer.timeline) };
    } finally {
      void client.end().catch(() => undefined); // its answer is in, or it failed
    }
  }
}

/** A server that takes writes. */
interface FoundServer {
  readonly host: DatabaseHost;
  readonly timeline: number;
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
