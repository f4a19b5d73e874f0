import { ConfigError } from '../config/config.ts';
import { StartError } from '../config/start-error.ts';

/** A start-up error for the operator at the terminal. It holds configuration, never a patient's data. */
export function describeStartFailure(err: unknown): string {
  if (err instanceof ConfigError || err instanceof StartError) return err.message;
  return err instanceof Error ? `${err.name}: ${err.message}` : String(err);
}
