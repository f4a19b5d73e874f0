import pg from 'pg';
import { DatabaseNotWritableError, type PageFault } from '../connection/primary.ts';

/** Milliseconds between two probes while pages cannot be written. */
const AGAIN_MS = 1_000;

/**
 * SQLSTATEs of a file that PostgreSQL could not write: the disk is full; the data folder, or a file of it, is gone; the
 * disk fails.
 */
const FAULTS: ReadonlySet<string> = new Set(['53100', '58P01', '58030'] satisfies PageFault[]);

/** Needs a page of its own: more than half of one, kept in its row. */
const PROBE = `begin; insert into page_probe select convert_to(repeat('p', 5000), 'UTF8'); rollback`;

export interface PageWatchOptions {
  /** The client class of the store's database. */
  readonly Client: typeof pg.Client;
  /** Called with the fault when pages can no longer be written, and with null when they can again. */
  readonly onFault?: ((fault: PageFault | null) => void) | undefined;
}

/**
 * Tracks whether the server can write a new page. A full disk fails the statements that need one, while others, and
 * the commits of {@link CommitProbe}, go into files that are there already.
 *
 * | state | event | then |
 * |---|---|---|
 * | writing | a statement fails for a file | a doubt: the probe writes a page, on a new connection |
 * | writing | the probe succeeds | writing: it was a file of that statement, such as that of a large sort |
 * | writing | the probe fails | faulty, by the code of the statement |
 * | faulty | the probe, once a second, fails | faulty |
 * | faulty | the probe succeeds | writing |
 *
 * On a new connection, since an old one has files open that are gone.
 */
export class PageWatch {
  readonly #Client: typeof pg.Client;
  readonly #onFault: (fault: PageFault | null) => void;
  #fault: PageFault | null = null;
  #probing: Promise<void> | null = null;
  #again: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ Client, onFault = () => undefined }: PageWatchOptions) {
    this.#Client = Client;
    this.#onFault = onFault;
  }

  /** Why no page can be written; null while they can. */
  get fault(): PageFault | null {
    return this.#fault;
  }

  /** Gets the SQLSTATE of each statement and connection that failed. */
  noteError(code: string | undefined): void {
    if (this.#fault !== null || this.#probing || this.#isClosed || !isPageFault(code)) return;
    this.#probing = this.#probe(code).finally(() => (this.#probing = null));
  }

  /** @throws {DatabaseNotWritableError} while no page can be written. */
  async check(): Promise<void> {
    await this.#probing;
    if (this.#fault !== null) throw new DatabaseNotWritableError(this.#fault);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#again);
    await this.#probing;
  }

  async #probe(code: PageFault): Promise<void> {
    const canWrite = (await this.#canWrite()) ?? this.#fault === null;
    if (this.#isClosed) return;
    if (canWrite !== (this.#fault === null)) {
      this.#fault = canWrite ? null : code;
      this.#onFault(this.#fault);
    }
    if (this.#fault !== null) this.#again = setTimeout(() => void this.#probe(code), AGAIN_MS).unref();
  }

  /**
   * False also where no connection is possible: a server without a disk for its log has stopped. Null where none is free,
   * which says nothing of the disk.
   */
  async #canWrite(): Promise<boolean | null> {
    const client = new this.#Client({
      connectionTimeoutMillis: 2_000,
      query_timeout: 2_000,
      application_name: 'insurance-verification-probe',
    });
    try {
      await client.connect();
      await client.query(PROBE);
      return true;
    } catch (err) {
      return err instanceof pg.DatabaseError && err.code === '53300' ? null : false;
    } finally {
      void client.end().catch(() => undefined);
    }
  }
}

/** Whether an error is the watch's own answer, which was reported when it began to give it. */
export function isOfPageWatch(err: unknown): boolean {
  return err instanceof DatabaseNotWritableError && isPageFault(err.code);
}

function isPageFault(code: string | undefined): code is PageFault {
  return FAULTS.has(code ?? '');
}
