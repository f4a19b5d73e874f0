import type { RequestInfo } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';

export interface NewRequest {
  readonly caller: Caller;
  readonly payerId: string;
  readonly input: RequestInfo;
  /** The caller's `Idempotency-Key`; null when it sent none. */
  readonly idempotencyKey: string | null;
  /** The day to ask about, `YYYY-MM-DD`; absent or null: the day of asking. */
  readonly serviceDate?: string | null;
  /** When the caller needs the first result; absent or null: it did not say. */
  readonly neededBy?: Date | null;
}

/**
 * What a repeat under the same idempotency key must repeat: the body, and with it the headers that say what is asked
 * and by when. JSON has no line break of its own, so no two requests have one text.
 */
export function repeatedText({ input, serviceDate, neededBy }: NewRequest): string {
  const body = JSON.stringify(input);
  if (!serviceDate && !neededBy) return body;
  return `${body}\n${serviceDate ?? ''}\n${neededBy?.toISOString() ?? ''}`;
}
