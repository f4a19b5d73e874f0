import type { FaultRow } from '../fault-row.ts';
import { breakUnderLoad } from './break-under-load.ts';

/**
 * The primary's machine is paused, as when it is moved: its sockets stay open and nobody answers. It wakes up beside
 * the standby that was promoted, and still takes itself for the primary; no standby confirms its commits any more.
 */
export const frozenPrimary: FaultRow = {
  number: 27,
  fault: 'the primary’s machine freezes (SIGSTOP) under load, and wakes up as a second one (Patroni)',
  rounds: 3,
  run: (ground) =>
    breakUnderLoad(ground, {
      backMsMax: 45_000,
      strike: async (cluster) => {
        const primary = await cluster.nodeOf('leader');
        primary.freeze();
        return () => primary.thaw();
      },
    }),
};
