import { join } from 'node:path';
import { SERVICE, startProcess } from '../ground/start-process.ts';
import type { Part } from '../part.ts';

/** From the spawn to the printed address: first on an empty data folder, then on the folder of that start. */
export const start: Part = {
  name: 'start',
  run: async ({ folder, say }) => {
    const env = { DATA_DIR: join(folder, 'start'), PORT: '0' };
    const first = await startProcess(SERVICE, env);
    await first.stop();
    const second = await startProcess(SERVICE, env);
    await second.stop();
    say(`start: empty folder ${Math.round(first.startMs)} ms, again ${Math.round(second.startMs)} ms`);
  },
};
