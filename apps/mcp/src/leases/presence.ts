/** A client that only calls is taken for gone after this silence. The longest thought between two calls is far shorter. */
const SILENT_MS = 600_000;

/** A connected client that calls no tool for so long has forgotten its work: an open window must not hold a request. */
const IDLE_MS = 3_600_000;

/** Whether an agent is still there: what its leases are renewed for. */
export class Presence {
  #openCount = 0;
  #hasEnded = false;
  #heardAt = Date.now();
  #calledAt = Date.now();

  /** A connection, a stream or a call has opened. */
  open(): void {
    this.#openCount += 1;
    this.#heardAt = Date.now();
  }

  close(): void {
    this.#openCount -= 1;
    this.#heardAt = Date.now();
  }

  /** A tool was called. */
  call(): void {
    this.#calledAt = Date.now();
  }

  /** The agent has said that it goes. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Milliseconds since anything was heard; 0 while something is open. */
  silentMs(now: number): number {
    return this.#openCount > 0 ? 0 : now - this.#heardAt;
  }

  isThere(now: number): boolean {
    return !this.#hasEnded && this.silentMs(now) < SILENT_MS && now - this.#calledAt < IDLE_MS;
  }
}
