import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { KeyWatch } from './key-watch.ts';
import { Presence } from './leases/presence.ts';

/** Sessions of a process at once: each takes a few hundred bytes. */
const SESSION_COUNT_MAX = 2_000;

/** The share of one key. */
const KEY_SESSION_COUNT_MAX = 100;

/** Streams at once: each holds a socket. A client without one is present as long as it keeps calling. */
const STREAM_COUNT_MAX = 256;

/** The share of one key. */
const KEY_STREAM_COUNT_MAX = 32;

/** Milliseconds between two keep-alive comments: proxies close connections that are silent for a minute. */
const COMMENT_MS = 15_000;

/** A session expires after this silence. Its client then gets an error and starts another one. */
const KEPT_MS = 3_600_000;

/** Identifies a client of the session-based protocol (2025-11-25 and earlier) across calls. */
export interface Session {
  readonly id: string;
  /** The key that opened it: no other may use the session. */
  readonly keyId: string;
  readonly presence: Presence;
  /** Aborted when the session ends, and with it its stream. */
  readonly ending: AbortController;
  /** Ends the watch of its key. */
  readonly unwatch: () => void;
  hasStream: boolean;
}

/** The sessions of one process. */
export class Sessions {
  readonly #byId = new Map<string, Session>();
  readonly #watch: KeyWatch;
  #isClosed = false;

  /** @param watch ends the sessions of a key that has ended. */
  constructor(watch: KeyWatch) {
    this.#watch = watch;
  }

  /** @returns undefined when the limit is reached: the client is then served only by its key. */
  open(keyId: string): Session | undefined {
    this.#forget();
    const ofKey = this.#count((one) => one.keyId === keyId);
    if (this.#byId.size >= SESSION_COUNT_MAX || ofKey >= KEY_SESSION_COUNT_MAX) return undefined;
    const session: Session = {
      id: crypto.randomUUID(),
      keyId,
      presence: new Presence(),
      ending: new AbortController(),
      unwatch: this.#watch.add(keyId, () => this.end(session)),
      hasStream: false,
    };
    this.#byId.set(session.id, session);
    return session;
  }

  find(id: string, keyId: string): Session | undefined {
    const session = this.#byId.get(id);
    return session?.keyId === keyId ? session : undefined;
  }

  end(session: Session): void {
    session.presence.end();
    session.ending.abort();
    session.unwatch();
    this.#byId.delete(session.id);
  }

  /** Ends all of them, and opens no stream again: the process is stopping. */
  close(): void {
    this.#isClosed = true;
    for (const session of this.#byId.values()) this.end(session);
  }

  /** @returns false when the session already has a stream, or the limit is reached. */
  takeStream(session: Session): boolean {
    const open = (one: Session) => one.hasStream;
    const isFull =
      this.#isClosed ||
      session.hasStream ||
      this.#count(open) >= STREAM_COUNT_MAX ||
      this.#count((one) => open(one) && one.keyId === session.keyId) >= KEY_STREAM_COUNT_MAX;
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

/**
 * Holds a session's stream until its client disconnects or the session ends. It carries keep-alive comments only:
 * through it a client without a call in flight shows its presence.
 */
export async function holdStream(res: ServerResponse, session: Session): Promise<void> {
  const { presence, ending } = session;
  presence.open();
  const comment = () => res.write(': open\n\n');
  const end = () => res.end();
  comment();
  const timer = setInterval(comment, COMMENT_MS);
  ending.signal.addEventListener('abort', end);
  try {
    if (!res.closed) await once(res, 'close');
  } finally {
    clearInterval(timer);
    ending.signal.removeEventListener('abort', end);
    session.hasStream = false;
    presence.closeStream();
  }
}
