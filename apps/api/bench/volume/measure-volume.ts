import type { Part } from '../part.ts';
import { textTable } from '../report/text-table.ts';
import { createVolume } from './fill-volume.ts';
import { type VolumeOperation, volumeOperations } from './volume-operations.ts';
import { type TableBytes, startVolumeServer, type VolumeServer } from './volume-server.ts';

/** The requests of the small size, to which the full one is compared. */
const SMALL_COUNT = 4_000;

/** Calls that are measured, after as many that are not: they fill the caches. */
const CALL_COUNT = 200;

/** What each operation takes with 4,000 requests and with `VOLUME_ROWS`, and how many bytes a request has. */
export const volume: Part = {
  name: 'volume',
  run: async ({ settings, folder, say }) => {
    await using server = await startVolumeServer(folder);
    const requests = await createVolume(server.store);
    const operations = volumeOperations(server.store, requests);
    const sizes = [];
    for (const count of [SMALL_COUNT, settings.volumeRowCount]) {
      const startedAt = performance.now();
      await requests.fillTo(count);
      const bytes = await server.tableBytes();
      await server.settle();
      say(`volume: ${count} requests after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
      sizes.push({ count, bytes, costs: await costsOf(server, operations) });
    }
    const [few, many] = sizes;
    if (!few || !many) throw new Error('There are two sizes.');
    say(textTable(costTable(operations, few.costs, many.costs)));
    say(textTable(bytesTable(many.bytes, many.count)));
    const ratios = operations.map((_, at) => (many.costs[at]?.p99Ms ?? NaN) / (few.costs[at]?.p99Ms ?? NaN));
    const bytesEach = sumOf(many.bytes) / many.count;
    return {
      report: { sizes, ratios, bytesEach },
      figures: {
        volume: {
          service: `${many.count.toLocaleString('en')} requests, ${Math.round(bytesEach).toLocaleString('en')} bytes each`,
          ratio: Math.max(...ratios).toFixed(2),
        },
      },
    };
  },
};

interface Cost {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly buffers: number;
}

async function costsOf(server: VolumeServer, operations: readonly VolumeOperation[]): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const operation of operations) {
    await timesOf(operation);
    await server.startCounting();
    await operation.call();
    const buffers = await server.touchedBuffers();
    const times = await timesOf(operation);
    const at = (share: number) => times[Math.floor(times.length * share)] ?? NaN;
    costs.push({ p50Ms: at(0.5), p99Ms: at(0.99), buffers });
  }
  return costs;
}

async function timesOf({ call, after }: VolumeOperation): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < CALL_COUNT; count += 1) {
    const startedAt = performance.now();
    const answer = await call();
    times.push(performance.now() - startedAt);
    await after?.(answer);
  }
  return times.toSorted((a, b) => a - b);
}

function costTable(operations: readonly VolumeOperation[], few: readonly Cost[], many: readonly Cost[]) {
  const rows = operations.map(({ name }, index) => {
    const [one, other] = [few[index], many[index]];
    const both = (cell: (cost: Cost) => string) => (one && other ? [cell(one), cell(other)] : []);
    return [
      name,
      ...both(({ p50Ms }) => p50Ms.toFixed(1)),
      ...both(({ p99Ms }) => p99Ms.toFixed(1)),
      ((other?.p99Ms ?? NaN) / (one?.p99Ms ?? NaN)).toFixed(2),
      ...both(({ buffers }) => buffers.toLocaleString('en')),
    ];
  });
  return [['', 'p50 ms', 'full', 'p99 ms', 'full', 'ratio', 'buffers', 'full'], ...rows];
}

function bytesTable(bytes: readonly TableBytes[], count: number) {
  const rows = bytes.map((table) => [table.name, (table.bytes / count).toFixed(0)]).slice(0, 12);
  return [['bytes a request', ''], ...rows, ['all', (sumOf(bytes) / count).toFixed(0)]];
}

function sumOf(bytes: readonly TableBytes[]): number {
  return bytes.reduce((sum, table) => sum + table.bytes, 0);
}
