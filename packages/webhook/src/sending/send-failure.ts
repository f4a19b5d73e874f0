import type { AttemptOutcome } from './send-result.ts';

/**
 * An attempt that ended before a status line, with its class. Passes from the connector to the sender through undici;
 * it has no `code`, because undici retries some of its own codes forever.
 */
export class SendFailure extends Error {
  override readonly name = 'SendFailure';
  readonly outcome: AttemptOutcome;

  constructor(outcome: AttemptOutcome, options?: ErrorOptions) {
    super(`The attempt ended: ${outcome}`, options);
    this.outcome = outcome;
  }
}
