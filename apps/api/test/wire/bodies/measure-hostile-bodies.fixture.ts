import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSchemas, DEFAULT_PAYERS, toValidationErrors } from '@insurance-verification/schema';
import { HOSTILE_BODIES, type HostileBody } from '../../../faults/ground/hostile-bodies.ts';
import { parseJson } from '../../../src/body/parse-json.ts';
import { outlineOf } from '../../../src/procedure/outline.ts';
import { ValidationFailedError } from '../../../src/procedure/problem.ts';

/** The cost of one hostile body for the thread that answers it. */
export interface HostileCost {
  readonly name: string;
  /** CPU time of the longest turn of the event loop, in readings of a megabyte of empty objects by `JSON.parse`. */
  readonly readings: number;
  /** Memory allocated, garbage included. */
  readonly megabytes: number;
}

/** CPU milliseconds of the longest turns, and what was allocated. */
interface Run {
  readonly turnMs: number;
  readonly readingMs: number;
  readonly megabytes: number;
}

/** The bound of {@link HostileCost.readings}, which the caller gives. */
const readingsMax = Number(process.argv[2]);

/** A megabyte. */
const EMPTY_OBJECTS = `[${'{},'.repeat(349_524)}{}]`;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const schemas = createSchemas({ payers: DEFAULT_PAYERS });

/** Like an operation's call: parses the body, validates it, and reports its faults. */
async function answer({ model }: HostileBody, bytes: Buffer): Promise<void> {
  const schema = schemas[model];
  const raw = await parseJson(bytes, () => outlineOf(schema));
  const { error } = schema.safeParse(raw);
  if (error) JSON.stringify(toValidationErrors(error.issues, raw));
}

async function measure(body: HostileBody, bytes: Buffer): Promise<Run> {
  collectGarbage();
  const readingMs = await longestTurn(async () => void JSON.parse(EMPTY_OBJECTS));
  collectGarbage();
  const before = heldBytes();
  const turnMs = await longestTurn(() => answer(body, bytes));
  return { turnMs, readingMs, megabytes: (heldBytes() - before) / 1024 / 1024 };
}

async function longestTurn(work: () => Promise<void>): Promise<number> {
  let longestMs = 0;
  let last = process.threadCpuUsage();
  let ended = false;
  const noteTurn = () => {
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (user + system) / 1_000);
    if (!ended) setImmediate(noteTurn);
  };
  setImmediate(noteTurn);
  try {
    await work();
  } catch (err) {
    if (!(err instanceof ValidationFailedError)) throw err;
  }
  ended = true;
  noteTurn();
  return longestMs;
}

function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

// Up to five times each, until a run is within the bound: the minimum is the body's own cost, the rest is the machine's
// other work. What lasts for all five makes the readings beside them as much dearer.
for (const body of HOSTILE_BODIES) {
  const bytes = Buffer.from(body.text());
  const runs: Run[] = [];
  const least = (time: 'turnMs' | 'readingMs') => Math.min(...runs.map((run) => run[time]));
  const readings = () => least('turnMs') / least('readingMs');
  do runs.push(await measure(body, bytes));
  while (runs.length < 5 && readings() > readingsMax);
  const cost: HostileCost = {
    name: `${body.model}: ${body.name}`,
    readings: readings(),
    megabytes: Math.max(...runs.map(({ megabytes }) => megabytes)),
  };
  process.stdout.write(`${JSON.stringify(cost)}\n`);
}
