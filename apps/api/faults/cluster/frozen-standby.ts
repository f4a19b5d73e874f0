import type { FaultRow } from '../fault-row.ts';
import { breakUnderLoad } from './break-under-load.ts';

/** No commit returns until Patroni makes another standby the synchronous one. */
export const frozenStandby: FaultRow = {
  number: 26,
  fault: 'the synchronous standby’s machine freezes (SIGSTOP) under load (Patroni)',
  rounds: 2,
  run: (ground) =>
    breakUnderLoad(ground, {
      backMsMax: 30_000,
      strike: async (cluster) => {
        const standby = await cluster.nodeOf('sync_standby');
        standby.freeze();
        return () => standby.thaw();
      },
    }),
};
