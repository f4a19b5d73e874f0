import { PgBoss } from 'pg-boss';
import { deliver, payloads, prepare, ready } from './deliver.mjs';

// At its quickest: full batches are followed by the next at once, as many at once as the service.
const boss = new PgBoss({ connectionString: process.env.DATABASE_URL, max: 20 });
boss.on('error', (err) => process.stderr.write(`${err.message}\n`));
await boss.start();
if (process.env.STEP === 'fill') {
  await prepare();
  await boss.createQueue('deliver');
  const jobs = payloads().map((data) => ({ data }));
  while (jobs.length > 0) await boss.insert('deliver', jobs.splice(0, 1_000));
} else {
  const options = {
    batchSize: 25,
    localConcurrency: 4,
    burstWhenBatchFull: true,
    pollingIntervalSeconds: 0.5,
  };
  await boss.work('deliver', options, (jobs) => Promise.all(jobs.map(({ data }) => deliver(data))));
}
ready();
process.on('SIGTERM', () => process.exit(0));
