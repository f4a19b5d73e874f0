import pg from 'pg';
import { isDatabaseUnavailable } from '../connection/is-database-unavailable.ts';
import { DatabaseNotWritableError } from '../connection/primary.ts';
import { CommitProbe } from './commit-probe.ts';

/** A connection, as the watch sees it. */
export interface WatchedConnection {
  /** `performance.now()` when the current statement was sent; null between statements and in read-only transactions. */
  readonly busySince: number | null;
  /** Fails the current statement and discards the connection. */
  readonly fail: (err: Error) => void;
  /** Lets the current use finish, then discards the connection. */
  readonly retire: () => void;
}

export interface CommitWatchOptions {
  /** The client class of the store's database. */
  readonly Client: typeof pg.Client;
  /** Called when commits start to hang, and when they stop. */
  readonly onHanging?: ((isHanging: boolean) => void) | undefined;
}

/**
 * Milliseconds after which a statement raises a doubt. With the probe's time (1,200) and the interval between two looks,
 * the caller gets an answer within two seconds.
 */
const OVERDUE_MS = 600;

const LOOK_MS = 100;

/** Milliseconds between two doubts, so that a refuted one is not raised again at the next look. */
const DOUBT_MS = 500;

/** Milliseconds for which a probe's answer is shared by all callers; also the interval of probes while commits hang. */
const REUSE_MS = 1_000;

/**
 * Tracks whether a store's commits complete. No PostgreSQL setting bounds the wait for a synchronous standby, and a
 * cancelled wait leaves the commit in place although the standby never got it. So the watch fails the caller instead.
 *
 * | state | event | then |
 * |---|---|---|
 * | flowing | a statement is 600 ms old | a doubt: the probe attempts a commit |
 * | flowing | the probe is answered | flowing: the statement is merely slow |
 * | flowing | the probe's connection breaks, and it gets no other | flowing: the overdue statements fail |
 * | flowing | the probe is silent on two connections, or on one while it gets no other | hanging: overdue statements fail, their connections are dropped |
 * | hanging | a statement would write | fails at once, in a read-only transaction |
 * | hanging | a statement is 600 ms old and may write | fails |
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
  /** The latest check, shared by all callers while it runs and for a second after. */
  #check: { readonly promise: Promise<void>; endedAt: number; isWritable: boolean } | null = null;

  constructor({ Client, onHanging = () => undefined }: CommitWatchOptions) {
    this.#onHanging = onHanging;
    this.#probe = new CommitProbe(Client, (answer) => {
      this.#setHanging(false);
      if (answer === 'read_only') this.#retireAll();
    });
    // One timer for all: a timer per commit would cost intake more than the rest of the watch.
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

  /**
   * A statement found the database read-only: after a switchover all existing connections may lead to the old primary.
   */
  foundReadOnly(): void {
    if (this.#check?.isWritable) {
      this.#check = null;
      this.#probe.forget();
    }
    this.#retireAll();
  }

  /**
   * Resolves when the database takes a commit. At most one probe a second, however many callers.
   * @throws {DatabaseNotWritableError} when it is read-only or does not finish its commits; a connection error when it
   * is unreachable.
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
    if (this.#isHanging) this.#failOverdue(new DatabaseNotWritableError('commits_hang'));
    else if (performance.now() - this.#doubtAt > DOUBT_MS && this.#overdue().length > 0) {
      this.#doubtAt = Number.POSITIVE_INFINITY; // until this doubt is settled
      this.#ask()
        .catch((err: unknown) => isLockedOut(err) && this.#failOverdue(err))
        .finally(() => (this.#doubtAt = performance.now()));
    }
  }

  #overdue(): WatchedConnection[] {
    const now = performance.now();
    return [...this.#connections].filter(
      ({ busySince }) => busySince !== null && now - busySince > OVERDUE_MS,
    );
  }

  #failOverdue(err: Error): void {
    for (const connection of this.#overdue()) connection.fail(err);
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
      await this.#probe.askAgain().catch(() => undefined); // unreachable: keep asking
      if (this.#isHanging && !this.#isClosed) this.#again = setTimeout(() => void again(), REUSE_MS).unref();
    };
    this.#again = setTimeout(() => void again(), REUSE_MS).unref();
  }

  /** At most once a second: otherwise every write to a read-only server would renew all connections. */
  #retireAll(): void {
    if (performance.now() - this.#retiredAt < REUSE_MS) return;
    this.#retiredAt = performance.now();
    for (const connection of this.#connections) connection.retire();
  }
}

/**
 * Whether no connection is possible, so that the statements under way are lost too. Behind a pooler they would wait until it
 * finds a server. A server that is full, or takes no writes, may still answer them.
 */
function isLockedOut(err: unknown): err is Error {
  if (err instanceof DatabaseNotWritableError || !isDatabaseUnavailable(err)) return false;
  return !(err instanceof pg.DatabaseError && err.code === '53300');
}
