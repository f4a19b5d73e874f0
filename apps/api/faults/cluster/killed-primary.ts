import type { FaultRow } from '../fault-row.ts';
import { breakUnderLoad } from './break-under-load.ts';

/** The primary's machine loses power: Patroni's key must expire before the synchronous standby is promoted. */
export const killedPrimary: FaultRow = {
  number: 25,
  fault: 'the primary’s Patroni and PostgreSQL killed under load (Patroni)',
  rounds: 2,
  run: (ground) =>
    breakUnderLoad(ground, {
      backMsMax: 45_000,
      strike: async (cluster) => {
        const primary = await cluster.nodeOf('leader');
        await primary.kill();
        return () => primary.start();
      },
    }),
};
