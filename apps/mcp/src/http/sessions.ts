import { Presence } from '../leases/presence.ts';

/** Sessions at once: each is a few hundred bytes, and anyone with the form of a key may open one. */
const SESSION_COUNT_MAX = 2_000;

/** Of those, what one key may have. */
const KEY_COUNT_MAX = 100;

/** Streams at once: each holds a socket. Without one a client is there as long as it calls. */
const STREAM_COUNT_MAX = 256;

/** Of those, what one key may have. */
const KEY_STREAM_COUNT_MAX = 32;

/** A session is forgotten after this silence. Its client is then told so, and begins another one. */
const KEPT_MS = 3_600_000;

/** What a client of the protocol's sessions (2025-11-25 and before) is known by from one call to the next. */
export interface Session {
  readonly id: string;
  /** Of the key that opened it: no other key may use it. */
  readonly owner: string;
  readonly presence: Presence;
  /** Aborted when it ends: so does its stream. */
  readonly ending: AbortController;
  hasStream: boolean;
}

/** The sessions of one door. */
export class Sessions {
  readonly #byId = new Map<string, Session>();

  /** @returns undefined when there is no room: its client is then served by its key alone. */
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

  /** @returns false when it has one already, or there is no room for another. */
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
