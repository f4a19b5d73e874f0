import type { Part } from '../part.ts';
import { textTable } from '../report/text-table.ts';
import { fillVolume, type Volume } from './fill-volume.ts';
import { type Cost, costsOf } from './volume-costs.ts';
import { volumeOperations } from './volume-operations.ts';
import { type TableBytes, startVolumeServer, type VolumeDatabase } from './volume-server.ts';

/** The requests of the small size, to which the full one is compared. */
const SMALL_COUNT = 4_000;

const ACCOUNT_COUNT = 1_000;
const GENERATION_COUNT = 20_000;

/** What each operation takes with 4,000 requests and with `VOLUME_ROWS`, and how many bytes a request has. */
export const volume: Part = {
  name: 'volume',
  run: async ({ settings, folder, say }) => {
    await using server = await startVolumeServer(folder);
    const filled: FilledVolume[] = [];
    for (const requestCount of [SMALL_COUNT, settings.volumeRowCount]) {
      const startedAt = performance.now();
      const database = await server.open(`volume_${requestCount}`);
      const size = { requestCount, accountCount: ACCOUNT_COUNT, generationCount: GENERATION_COUNT };
      filled.push({ requestCount, database, volume: await fillVolume(database, size) });
      say(`volume: ${requestCount} requests after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    }
    const report = await compareVolumes(filled);
    for (const table of [report.costTable, report.bytesTable]) say(textTable(table));
    return {
      report,
      figures: {
        volume: {
          service: `${settings.volumeRowCount.toLocaleString('en')} requests, ${Math.round(report.bytesEach).toLocaleString('en')} bytes each`,
          ratio: Math.max(...report.ratios).toFixed(2),
        },
      },
    };
  },
};

interface FilledVolume {
  readonly requestCount: number;
  readonly database: VolumeDatabase;
  readonly volume: Volume;
}

/** Measures every operation in each volume. The first is the small one, the last the full one. */
async function compareVolumes(filled: readonly FilledVolume[]) {
  const full = filled.at(-1);
  if (!full) throw new Error('There is a volume.');
  const bytes = await full.database.tableBytes();
  const operations = filled.map(({ database, volume: one }) => volumeOperations(database, one));
  const costs: { name: string; costs: Cost[] }[] = [];
  for (const [index, { name }] of (operations[0] ?? []).entries()) {
    const places = filled.flatMap(({ database }, at) => {
      const operation = operations[at]?.[index];
      return operation ? [{ database, operation }] : [];
    });
    costs.push({ name, costs: await costsOf(places) });
  }
  return {
    costs,
    bytes,
    ratios: costs.map((one) => one.costs.at(-1)?.p99Ratio ?? NaN),
    bytesEach: sumOf(bytes) / full.requestCount,
    costTable: costTable(costs),
    bytesTable: bytesTable(bytes, full.requestCount),
  };
}

function costTable(operations: readonly { name: string; costs: readonly Cost[] }[]): string[][] {
  const rows = operations.map(({ name, costs }) => [
    name,
    ...costs.map(({ p50Ms }) => p50Ms.toFixed(1)),
    ...costs.map(({ p99Ms }) => p99Ms.toFixed(1)),
    costs.at(-1)?.p99Ratio.toFixed(2) ?? '',
    ...costs.map(({ buffers }) => buffers.toLocaleString('en')),
  ]);
  return [['', 'p50 ms', 'full', 'p99 ms', 'full', 'ratio', 'buffers', 'full'], ...rows];
}

function bytesTable(bytes: readonly TableBytes[], count: number): string[][] {
  const rows = bytes.map((table) => [table.name, (table.bytes / count).toFixed(0)]).slice(0, 12);
  return [['bytes a request', ''], ...rows, ['all', (sumOf(bytes) / count).toFixed(0)]];
}

const sumOf = (bytes: readonly TableBytes[]) => bytes.reduce((sum, table) => sum + table.bytes, 0);
