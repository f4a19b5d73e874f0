import { SendFailure } from './send-failure.ts';
import type { AttemptOutcome } from './send-result.ts';

/**
 * The class of an error from undici. The connector's own failures arrive as SendFailure; all others happened on an open
 * connection.
 */
export function outcomeOfError(err: unknown): AttemptOutcome {
  if (err instanceof SendFailure) return err.outcome;
  const code = err instanceof Error && 'code' in err ? err.code : undefined;
  return code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'ETIMEDOUT' ? 'timeout' : 'connection_failed';
}
