import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedServer } from '@insurance-verification/store';
import { everyRow } from './every-row.ts';
import { createDatabase } from './ground/postgres/create-database.ts';
import { tableLine, tableOf } from './report/table.ts';
import { runRow } from './run-row.ts';

// `pnpm test:faults` runs every row, `pnpm test:faults 3 17` those two. FAULT_ROUNDS limits the rounds of each;
// FAULT_EXCLUDE=16 skips rows that cannot run here, and the table says so.
const say = (line: string) => process.stdout.write(`${line}\n`);
const numbersOf = (words: readonly string[]) =>
  words.filter((word) => word !== '--' && word !== '').map(Number);
const wanted = numbersOf(process.argv.slice(2));
const excluded = numbersOf((process.env['FAULT_EXCLUDE'] ?? '').split(','));
const roundsMax = Number(process.env['FAULT_ROUNDS'] ?? Number.POSITIVE_INFINITY);
const rows = everyRow.filter(({ number }) => wanted.length === 0 || wanted.includes(number));
const unknown = wanted.filter((number) => !rows.some((row) => row.number === number));
if (unknown.length > 0 || Number.isNaN(roundsMax)) {
  say(
    `usage: pnpm test:faults [row …], with rows 1 to ${everyRow.length}; FAULT_ROUNDS=3 for at most three rounds of each`,
  );
  process.exit(2);
}

const startedAt = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'faults-'));
const settings = { max_connections: '400' };
const starting = startEmbeddedServer({ dataDir: folder, settings });
let current = new AsyncDisposableStack();
const end = async () => {
  try {
    await current.disposeAsync();
  } finally {
    await (await starting).stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
// From here on, since the server takes seconds to start. Once: the second of two signals would end the process before
// its server.
let ending: Promise<void> | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => (ending ??= end().finally(() => process.exit(1))));
const server = await starting;

const lines: string[][] = [];
let brokenCount = 0;
let unjudgedCount = 0;
for (const row of rows) {
  const { number, fault } = row;
  if (excluded.includes(number)) {
    lines.push(tableLine(row, null, 0, 'left out by FAULT_EXCLUDE'));
    continue;
  }
  const rounds = Math.max(1, Math.min(row.rounds, roundsMax));
  say(`\n${number}. ${fault}, ${rounds} rounds`);
  const rowStartedAt = performance.now();
  current = new AsyncDisposableStack();
  const tally = await runRow(
    row,
    { aDatabase: () => createDatabase(server.connectionString), postmasterPid: server.pid, rounds },
    current,
  );
  const seconds = Math.round((performance.now() - rowStartedAt) / 1000);
  for (const fact of tally.facts) say(`   ${fact}`);
  for (const sentence of tally.broken) say(`   BROKEN: ${sentence}`);
  for (const sentence of tally.unjudged) say(`   NOT JUDGED: ${sentence}`);
  if (tally.verdict === 'NO') brokenCount += 1;
  if (tally.verdict === 'NOT JUDGED') unjudgedCount += 1;
  lines.push(tableLine(row, tally, rounds, `${seconds} s`));
}
await end();
say(`\n${tableOf(lines)}`);
const unjudged = unjudgedCount === 0 ? '' : `, ${unjudgedCount} not judged`;
say(`${Math.round((performance.now() - startedAt) / 1000)} s in all, ${brokenCount} rows broken${unjudged}`);
process.exit(brokenCount + unjudgedCount > 0 ? 1 : 0);
