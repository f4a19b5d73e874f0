import type { FaultRow } from '../fault-row.ts';
import { breakUnderLoad } from './break-under-load.ts';

/** What an operator does before maintenance. */
export const switchover: FaultRow = {
  number: 24,
  fault: 'a switchover under load (Patroni)',
  rounds: 3,
  run: (ground) =>
    breakUnderLoad(ground, {
      backMsMax: 20_000,
      strike: async (cluster) => {
        await cluster.switchOver(await cluster.nodeOf('leader'), await cluster.nodeOf('sync_standby'));
        return () => undefined;
      },
    }),
};
