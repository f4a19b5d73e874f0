import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { deliver, payloads, prepare, ready } from './deliver.mjs';

// At its quickest: a local queue of 200, completions in batches, as many at once as the service.
const connectionString = process.env.DATABASE_URL;
const logger = new Logger(() => () => undefined);
if (process.env.STEP === 'fill') {
  await prepare();
  const utils = await makeWorkerUtils({ connectionString, logger });
  await utils.migrate();
  const jobs = payloads().map((payload) => ({ identifier: 'deliver', payload }));
  while (jobs.length > 0) await utils.addJobs(jobs.splice(0, 1_000));
  await utils.release();
  ready();
} else {
  const preset = {
    worker: {
      connectionString,
      concurrentJobs: 100,
      maxPoolSize: 20,
      localQueue: { size: 200 },
      completeJobBatchDelay: 1,
      failJobBatchDelay: 1,
    },
  };
  await run({ preset, logger, noHandleSignals: true, taskList: { deliver } });
  ready();
}
process.on('SIGTERM', () => process.exit(0));
setInterval(() => undefined, 60_000);
