import type { Config } from '../config/config.ts';
import type { Log } from './log.ts';
import type { Tracing } from './tracing.ts';

/** Loaded only where a collector is configured: OpenTelemetry's packages take memory, and time at the start. */
export async function loadTracing({ tracesUrl }: Config, log: Log): Promise<Tracing | undefined> {
  if (tracesUrl === undefined) return undefined;
  const { startTracing } = await import('./start-tracing.ts');
  return startTracing({ url: tracesUrl, log });
}
