import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMasterKey, migrate, startEmbeddedServer } from '../src/index.ts';
import { databaseFunctions } from '../src/migrations/database-functions.ts';
import { migrations } from '../src/migrations/migrations.ts';
import { readEverything } from '../test/version-before/read-everything.ts';
import { openRecorded } from '../test/version-before/record.ts';
import { writeRecording } from '../test/version-before/recording.ts';
import { tellOfAll } from '../test/version-before/tell.ts';
import { theAfternoon, theMorning } from '../test/version-before/the-day.ts';

// `pnpm record-version`, when a release is cut: later migrations are then held against what this version says.
const folder = mkdtempSync(join(tmpdir(), 'record-'));
const server = await startEmbeddedServer({ dataDir: folder });
try {
  const { connectionString } = server;
  await migrate({ connectionString });
  const encryptionKey = createMasterKey('k1');
  const recordedAt = new Date().toISOString();
  const { store, statements } = await openRecorded({ connectionString, encryptionKey });
  const midday = await theMorning(store);
  const morning = statements.splice(0);
  await theAfternoon(store, midday);
  const afternoon = statements.splice(0);
  await readEverything(store, midday.caller, midday.delivered);
  const reading = statements.splice(0);
  writeRecording({
    commit: execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim(),
    recordedAt,
    encryptionKey,
    migrations: Object.keys(migrations),
    functions: databaseFunctions,
    morning,
    afternoon,
    reading,
    read: { requestId: midday.delivered.request_id, accountId: midday.caller.accountId },
    told: await tellOfAll(store),
  });
  process.stdout.write(
    `${morning.length + afternoon.length + reading.length} statements of this version are written\n`,
  );
  await store.close();
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
