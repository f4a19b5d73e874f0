import type { SendResult } from '@insurance-verification/webhook';

/** The outcome of one attempt, drawn before it starts. */
export interface Encounter {
  /** Seconds until the receiver has the whole message; null when it never gets it. */
  readonly arrivesAfter: number | null;
  /** The receiver counts it as received, whether or not the sender learns of it. */
  readonly takes: boolean;
  /** What the sender sees, and after how many seconds. */
  readonly answersAfter: number;
  readonly result: Pick<SendResult, 'outcome' | 'statusCode' | 'retryAfterSeconds'>;
}

/** A receiver with random behaviour: it may be healthy, down for days, or answer anything. */
export function simulatedReceiver(random: () => number): (now: number) => Encounter {
  const awayUntil = random() < 0.4 ? random() * 200 * 3600 : 0;
  const failing = random() < 0.5 ? random() * 0.9 : 0;
  return (now) => {
    const answersAfter = random() < 0.8 ? random() : random() * 20;
    const arrivesAfter = answersAfter * random();
    const seen = (
      outcome: SendResult['outcome'],
      statusCode: number | null = null,
      retryAfterSeconds: number | null = null,
    ) => ({ outcome, statusCode, retryAfterSeconds });
    if (now < awayUntil) {
      const outcomes = ['connection_failed', 'dns_failed', 'tls_failed', 'blocked_address'] as const;
      const outcome = outcomes[Math.floor(random() * outcomes.length)] ?? 'connection_failed';
      return { arrivesAfter: null, takes: false, answersAfter, result: seen(outcome) };
    }
    if (random() >= failing)
      return { arrivesAfter, takes: true, answersAfter, result: seen('succeeded', 200) };
    const kind = random();
    if (kind < 0.05) return { arrivesAfter, takes: false, answersAfter, result: seen('gone', 410) };
    if (kind < 0.1) return { arrivesAfter, takes: false, answersAfter, result: seen('redirected', 302) };
    // The answer is lost: the receiver has the message, and the sender cannot know.
    if (kind < 0.25) return { arrivesAfter, takes: true, answersAfter, result: seen('connection_failed') };
    if (kind < 0.4)
      return {
        arrivesAfter,
        takes: random() < 0.5,
        answersAfter: 15 + random() * 5,
        result: seen('timeout'),
      };
    const status = [429, 500, 502, 503, 504][Math.floor(random() * 5)] ?? 500;
    const retryAfter = random() < 0.5 ? Math.floor(random() * 100_000) : null;
    return { arrivesAfter, takes: false, answersAfter, result: seen('http_error', status, retryAfter) };
  };
}
