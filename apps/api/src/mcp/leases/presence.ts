/** A client that only calls counts as gone after this silence. The longest thought between two calls is far shorter. */
const SILENT_MS = 600_000;

/** A client whose stream broke off counts as gone after this: those that live open it again within a few seconds. */
const CUT_MS = 15_000;

/**
 * A connected client without tool calls for this long has forgotten its work: an open window must not hold a request.
 */
const IDLE_MS = 3_600_000;

/** Whether an agent is present: its leases are renewed only then. */
export class Presence {
  #openCount = 0;
  #hasEnded = false;
  #wasCut = false;
  #heardAt = Date.now();
  #calledAt = Date.now();

  /** Records that a connection, a stream or a call opened. */
  open(): void {
    this.#openCount += 1;
    this.#heardAt = Date.now();
    this.#wasCut = false;
  }

  close(): void {
    this.#openCount -= 1;
    this.#heardAt = Date.now();
  }

  /** Records that a stream closed, which lasts as long as its client does. */
  closeStream(): void {
    this.close();
    this.#wasCut = true;
  }

  /** Records a tool call. */
  call(): void {
    this.#calledAt = Date.now();
  }

  /** Records that the agent announced its end. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Milliseconds since the last sign of life; 0 while something is open. */
  silentMs(now: number): number {
    return this.#openCount > 0 ? 0 : now - this.#heardAt;
  }

  isThere(now: number): boolean {
    const silentMsMax = this.#wasCut ? CUT_MS : SILENT_MS;
    return !this.#hasEnded && this.silentMs(now) < silentMsMax && now - this.#calledAt < IDLE_MS;
  }
}
