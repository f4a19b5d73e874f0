import type { Log } from '../telemetry/log.ts';

/** Gives leases back. A stop must not fail because the database is away: what is not released lapses and is due again. */
export async function releaseOrLapse(log: Pick<Log, 'warn'>, release: () => Promise<unknown>): Promise<void> {
  try {
    await release();
  } catch (err) {
    log.warn({ err }, 'release failed; the leases lapse');
  }
}
