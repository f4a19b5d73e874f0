import { Presence } from '../leases/presence.ts';

/** Sessions at once: each takes a few hundred bytes, and anyone with a well-formed key may open one. */
const SESSION_COUNT_MAX = 2_000;

/** The share of one key. */
const KEY_COUNT_MAX = 100;

/** Streams at once: each holds a socket. A client without one is present as long as it keeps calling. */
const STREAM_COUNT_MAX = 256;

/** The share of one key. */
const KEY_STREAM_COUNT_MAX = 32;

/** A session expires after this silence. Its client is then told so, and starts another one. */
const KEPT_MS = 3_600_000;

/** Identifies a client of the session-based protocol (2025-11-25 and earlier) across calls. */
export interface Session {
  readonly id: string;
  /** The hash of the key that opened it: no other key may use the session. */
  readonly owner: string;
  readonly presence: Presence;
  /** Aborted when the session ends, and with it its stream. */
  readonly ending: AbortController;
  hasStream: boolean;
}

/** The sessions of one server. */
export class Sessions {
  readonly #byId = new Map<string, Session>();

  /** @returns undefined when the limit is reached: the client is then served by its key alone. */
  open(owner: string): Session | undefined {
    this.#forget();
    if (this.#byId.size >= SESSION_COUNT_MAX || this.#count((one) => one.owner === owner) >= KEY_COUNT_MAX)
      return undefined;
    const session = {
      id: crypto.randomUUID(),
      owner,
      presence: new Presence(),
      ending: new AbortController(),
      hasStream: false,
    };
    this.#byId.set(session.id, session);
    return session;
  }

  find(id: string, owner: string): Session | undefined {
    const session = this.#byId.get(id);
    return session?.owner === owner ? session : undefined;
  }

  end(session: Session): void {
    session.presence.end();
    session.ending.abort();
    this.#byId.delete(session.id);
  }

  endAll(): void {
    for (const session of this.#byId.values()) this.end(session);
  }

  /** @returns false when the session already has a stream, or the limit is reached. */
  takeStream(session: Session): boolean {
    const open = (one: Session) => one.hasStream;
    const isFull =
      session.hasStream ||
      this.#count(open) >= STREAM_COUNT_MAX ||
      this.#count((one) => open(one) && one.owner === session.owner) >= KEY_STREAM_COUNT_MAX;
    if (!isFull) session.hasStream = true;
    return !isFull;
  }

  #forget(): void {
    const now = Date.now();
    for (const session of this.#byId.values())
      if (session.presence.silentMs(now) > KEPT_MS) this.end(session);
  }

  #count(matches: (session: Session) => boolean): number {
    let count = 0;
    for (const session of this.#byId.values()) if (matches(session)) count += 1;
    return count;
  }
}
