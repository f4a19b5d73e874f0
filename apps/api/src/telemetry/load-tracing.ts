import type { Config } from '../config/config.ts';
import type { Log } from './log.ts';
import type { Tracing } from './tracing.ts';

/** Loads OpenTelemetry only where a collector is configured: its packages cost memory and start-up time. */
export async function loadTracing({ tracesUrl }: Config, log: Log): Promise<Tracing | undefined> {
  if (tracesUrl === undefined) return undefined;
  const { startTracing } = await import('./start-tracing.ts');
  return startTracing({ url: tracesUrl, log });
}
