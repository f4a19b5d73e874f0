import type { Part } from '../part.ts';
import { compareQueued } from './compare-queued.ts';
import { measureLatency } from './measure-latency.ts';
import { measureRecovery } from './measure-recovery.ts';
import { startReceivers } from './start-receivers.ts';

/** Every delivery figure, each on an otherwise idle service. */
export const delivery: Part = {
  name: 'delivery',
  run: async (ground) => {
    const receivers = await startReceivers();
    try {
      const queued = await compareQueued(ground, receivers);
      const latency = await measureLatency(ground, receivers);
      const recovery = await measureRecovery(ground, receivers);
      return {
        report: { queued: queued.report, latency: latency.report, recovery: recovery.report },
        figures: { ...queued.figures, ...latency.figures, ...recovery.figures },
      };
    } finally {
      receivers.stop();
    }
  },
};
