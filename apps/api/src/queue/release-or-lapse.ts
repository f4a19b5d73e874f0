import type { Log } from '../telemetry/log.ts';

/** Releases leases. A stop must not fail because the database is away: unreleased leases lapse and are due again. */
export async function releaseOrLapse(log: Pick<Log, 'warn'>, release: () => Promise<unknown>): Promise<void> {
  try {
    await release();
  } catch (err) {
    log.warn({ err }, 'release failed; the leases lapse');
  }
}
