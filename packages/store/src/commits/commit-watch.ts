import type pg from 'pg';
import { DatabaseNotWritableError } from '../connection/database-not-writable-error.ts';
import { CommitProbe } from './commit-probe.ts';

/** A connection as the watch sees it. */
export interface WatchedConnection {
  /** `performance.now()` when the statement under way was sent; null between statements, and for what may only read. */
  readonly busySince: number | null;
  /** Fails what is under way; nobody gets the connection again. */
  readonly fail: (err: Error) => void;
  /** It is used to its end, and then not again. */
  readonly retire: () => void;
}

export interface CommitWatchOptions {
  /** Of the store's database. */
  readonly Client: typeof pg.Client;
  /** Told when commits begin to hang, and when they end again. */
  readonly onHanging?: ((isHanging: boolean) => void) | undefined;
}

/**
 * Milliseconds after which a statement raises a doubt. With those that the probe takes then (800), and those
 * between two looks, its caller is answered within two seconds.
 */
const OVERDUE_MS = 600;

const LOOK_MS = 100;

/** Milliseconds between two doubts: one that is refuted is not raised again at the next look. */
const DOUBT_MS = 500;

/** Milliseconds for which a probe's answer is good, however many ask; and between two while commits hang. */
const REUSE_MS = 1_000;

/**
 * Knows whether the commits of one store come through. No setting of PostgreSQL bounds the wait for a synchronous
 * standby, and cut by hand the commit stands although the standby never had it. So it is the caller who is told.
 *
 * | state | event | then |
 * |---|---|---|
 * | flowing | a statement is 600 ms old | a doubt: the probe asks for a commit of its own |
 * | flowing | the probe is answered | flowing: the statement is only slow |
 * | flowing | the probe is silent on two connections | hanging: what is overdue fails, its connections are dropped |
 * | hanging | a statement that would write | fails at once, in a transaction that may only read |
 * | hanging | a statement is 600 ms old, and may write | fails |
 * | hanging | the probe is answered after all | flowing |
 */
export class CommitWatch {
  readonly #probe: CommitProbe;
  readonly #connections = new Set<WatchedConnection>();
  readonly #onHanging: (isHanging: boolean) => void;
  readonly #looks: NodeJS.Timeout;
  #again: NodeJS.Timeout | undefined;
  #isHanging = false;
  #isClosed = false;
  #doubtAt = Number.NEGATIVE_INFINITY;
  #retiredAt = Number.NEGATIVE_INFINITY;
  /** The latest check, shared by all who ask while it runs and for a second after. */
  #check: { readonly promise: Promise<void>; endedAt: number; isWritable: boolean } | null = null;

  constructor({ Client, onHanging = () => undefined }: CommitWatchOptions) {
    this.#onHanging = onHanging;
    this.#probe = new CommitProbe(Client, (answer) => {
      this.#setHanging(false);
      if (answer === 'read_only') this.#retireAll();
    });
    // One for all: a timer for each commit would cost intake more than the whole watch.
    this.#looks = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  get isHanging(): boolean {
    return this.#isHanging;
  }

  add(connection: WatchedConnection): void {
    this.#connections.add(connection);
  }

  remove(connection: WatchedConnection): void {
    this.#connections.delete(connection);
  }

  /** A statement found the database read-only: after a switchover all connections made so far may lead to the old one. */
  foundReadOnly(): void {
    if (this.#check?.isWritable) {
      this.#check = null;
      this.#probe.forget();
    }
    this.#retireAll();
  }

  /**
   * Resolves when the database takes a commit. At most one probe a second, however many ask.
   * @throws {DatabaseNotWritableError} when it is read-only, or does not end its commits; or whatever says it is away.
   */
  check(): Promise<void> {
    if (this.#check && performance.now() - this.#check.endedAt < REUSE_MS) return this.#check.promise;
    const promise = this.#ask();
    const check = { promise, endedAt: Number.POSITIVE_INFINITY, isWritable: false };
    this.#check = check;
    const end = (isWritable: boolean) => Object.assign(check, { endedAt: performance.now(), isWritable });
    promise.then(
      () => end(true),
      () => end(false),
    );
    return promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#looks);
    clearTimeout(this.#again);
    await this.#probe.close();
  }

  async #ask(): Promise<void> {
    if (this.#isHanging) throw new DatabaseNotWritableError('commits_hang');
    const answer = await this.#probe.ask();
    if (answer === 'read_only') throw new DatabaseNotWritableError('25006');
    if (answer === 'written') return;
    this.#setHanging(true);
    throw new DatabaseNotWritableError('commits_hang');
  }

  #look(): void {
    const now = performance.now();
    const isOverdue = ({ busySince }: WatchedConnection) =>
      busySince !== null && now - busySince > OVERDUE_MS;
    const overdue = [...this.#connections].filter(isOverdue);
    if (overdue.length === 0) return;
    if (this.#isHanging) {
      for (const connection of overdue) connection.fail(new DatabaseNotWritableError('commits_hang'));
    } else if (now - this.#doubtAt > DOUBT_MS) {
      this.#doubtAt = Number.POSITIVE_INFINITY; // until this one is settled
      const settle = () => (this.#doubtAt = performance.now());
      this.#ask().then(settle, settle); // away: what is under way finds out by itself
    }
  }

  #setHanging(isHanging: boolean): void {
    if (this.#isHanging === isHanging) return;
    this.#isHanging = isHanging;
    this.#check = null;
    this.#onHanging(isHanging);
    clearTimeout(this.#again);
    if (!isHanging) return;
    this.#look();
    const again = async () => {
      await this.#probe.askAgain().catch(() => undefined); // away: until it is back
      if (this.#isHanging && !this.#isClosed) this.#again = setTimeout(() => void again(), REUSE_MS).unref();
    };
    this.#again = setTimeout(() => void again(), REUSE_MS).unref();
  }

  /** At most once a second: while a server stays read-only each write would else make all connections anew. */
  #retireAll(): void {
    if (performance.now() - this.#retiredAt < REUSE_MS) return;
    this.#retiredAt = performance.now();
    for (const connection of this.#connections) connection.retire();
  }
}
