import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedServer } from '@insurance-verification/store';
import { checkOut, findCommit, workingTree } from '@insurance-verification/testing/check-out';
import type { FaultRow } from '../fault-row.ts';
import { createDatabase } from '../ground/postgres/create-database.ts';
import { tableLine, tableOf } from '../report/table.ts';
import { runRow } from '../run-row.ts';
import { roll } from './roll.ts';
import { stageHead, stageLine, stagesOfRoll } from './stage.ts';

// `pnpm test:upgrade <commit>` rolls that version's processes to the working tree's and back. UPGRADE_ROUNDS=1 for one
// round instead of three. It prints the table of apps/docs/upgrades.md.
const say = (line: string) => process.stdout.write(`${line}\n`);
const [commit, ...more] = process.argv.slice(2).filter((word) => word !== '--');
if (commit === undefined || more.length > 0) {
  say('usage: pnpm test:upgrade <commit>, the version to upgrade from');
  process.exit(2);
}

const older = findCommit(commit);
if (older === undefined) {
  say(`No commit of this clone is named ${commit}. Right, for example: pnpm test:upgrade HEAD~20`);
  process.exit(2);
}
const to = workingTree();

const stack = new AsyncDisposableStack();
let ending: Promise<void> | undefined;
const end = () => (ending ??= stack.disposeAsync());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void end().finally(() => process.exit(1)));

const stages = stagesOfRoll();
const row: FaultRow = {
  number: 1,
  fault: `${older} to ${to.commit} and back`,
  rounds: Math.max(1, Number(process.env['UPGRADE_ROUNDS'] ?? 3)),
  run: async (ground) => {
    for (let round = 0; round < ground.rounds; round += 1) {
      say(`round ${round + 1} of ${ground.rounds}`);
      await roll(ground, { from, to, stages });
    }
  },
};

const folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
stack.defer(() => rmSync(folder, { recursive: true, force: true }));
say(row.fault);
const from = checkOut(stack, older, join(folder, 'from'));
const settings = { max_connections: '200' };
const starting = startEmbeddedServer({ dataDir: join(folder, 'database'), settings });
stack.defer(async () => (await starting).stop());
const server = await starting;
const inside = stack.use(new AsyncDisposableStack());
const aDatabase = () => createDatabase(server.connectionString);
const tally = await runRow(row, { aDatabase, postmasterPid: server.pid, rounds: row.rounds }, inside);
await end();

const table = [stageHead(older), ...stages.map(stageLine)];
for (const fact of tally.facts) say(`   ${fact}`);
for (const sentence of tally.broken) say(`   BROKEN: ${sentence}`);
for (const line of table) say(`| ${line.join(' | ')} |`);
say(tableOf([tableLine(row, tally, row.rounds, '')]));
process.exit(tally.broken.length > 0 ? 1 : 0);
