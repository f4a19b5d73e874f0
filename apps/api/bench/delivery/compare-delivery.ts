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
      await compareQueued(ground, receivers);
      await measureLatency(ground, receivers);
      await measureRecovery(ground, receivers);
    } finally {
      receivers.stop();
    }
  },
};
