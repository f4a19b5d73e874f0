import type { Socket } from 'node:net';
import pg from 'pg';
import { DatabaseNotWritableError } from '../connection/primary.ts';
import type { CommitWatch, WatchedConnection } from './commit-watch.ts';
import type { PageWatch } from './page-watch.ts';

type Release = (err?: Error | boolean) => void;

/** Statements that commit without waiting (leases) contain this setting, and continue while commits hang. */
const WAITS_FOR_NOTHING = 'synchronous_commit';

/** What watches the statements of a store. */
interface Watches {
  readonly commits: CommitWatch;
  readonly pages: PageWatch;
}

/** Pool clients whose statements are timed, which write nothing while commits hang, and report what fails for a file. */
export function watchedClient(
  { commits: watch, pages }: Watches,
  Client: typeof pg.Client,
): typeof pg.Client {
  const Watched = class extends Client implements WatchedConnection {
    busySince: number | null = null;
    isRetired = false;
    /** True inside a `begin read only` of this client. */
    #mayOnlyRead = false;
    #release: Release = () => undefined;

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      this.once('connect', () => watch.add(this));
      this.once('end', () => watch.remove(this));
      this.on('drain', () => (this.busySince = null));
      this.connection.on('errorMessage', ({ code }: { code?: string }) => {
        pages.noteError(code);
        if (code !== '25006' || this.#mayOnlyRead) return;
        this.retire();
        watch.foundReadOnly();
      });
    }

    /** The pool sets it on every checkout. */
    set release(release: Release) {
      this.#release = release;
    }

    get release(): Release {
      return this.isRetired ? () => this.#release(true) : this.#release;
    }

    retire(): void {
      this.isRetired = true;
    }

    fail(err: Error): void {
      (this.connection.stream as Socket).destroy(err);
    }

    // @ts-expect-error one body serves all overloads; Kysely calls it this way, and any other call is passed through
    override query(text: unknown, values?: unknown[], callback?: unknown): unknown {
      if (watch.isHanging && typeof text === 'string' && callback === undefined)
        return this.#queryWhileCommitsHang(text, values);
      return this.#send(text, values, callback);
    }

    // Statements inside a transaction still run: the rollback undoes their writes.
    async #queryWhileCommitsHang(text: string, values?: unknown[]): Promise<unknown> {
      if (/^(begin|start transaction)/.test(text)) throw new DatabaseNotWritableError('commits_hang');
      if (text === 'commit') {
        await this.#send('rollback');
        throw new DatabaseNotWritableError('commits_hang');
      }
      if (text === 'rollback' || this.getTransactionStatus() !== 'I' || text.includes(WAITS_FOR_NOTHING))
        return this.#send(text, values);
      // Timed as any statement: a server that is frozen, or that a pooler waits for, does not answer this either.
      await this.#send('begin read only');
      // Only the server knows whether a statement writes, including through its functions.
      this.#mayOnlyRead = true;
      try {
        const result = await this.#send(text, values);
        await this.#send('commit');
        return result;
      } catch (err) {
        await Promise.resolve(this.#send('rollback')).catch(() => undefined); // the statement's own error matters
        const isWrite = err instanceof pg.DatabaseError && err.code === '25006';
        throw isWrite ? new DatabaseNotWritableError('commits_hang') : err;
      } finally {
        this.#mayOnlyRead = false;
      }
    }

    #send(text: unknown, values?: unknown, callback?: unknown): unknown {
      if (!this.#mayOnlyRead) this.busySince ??= performance.now();
      const send = (done: unknown): unknown =>
        (super.query as (...given: unknown[]) => unknown).call(this, text, values, done);
      if (callback !== undefined || typeof text !== 'string') return send(callback);
      // Not its own promise: with that one, V8 kept each statement, and what it wrote, until it collected its old objects.
      return new Promise((resolve, reject) => {
        send((err: Error | null, result: unknown) => (err ? reject(err) : resolve(result)));
      });
    }
  };
  return Watched as unknown as typeof pg.Client;
}

/** Takes a client from the pool, closing retired ones that were idle. */
export async function connectUnretired(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
  for (;;) {
    const client = await connect();
    if (!(client as { isRetired?: boolean }).isRetired) return client;
    client.release(true);
  }
}
