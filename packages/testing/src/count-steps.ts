import { Session } from 'node:inspector/promises';
import { vi } from 'vitest';

/** Counts the steps of a piece of work. */
export interface StepCounter {
  /** How many steps the work takes: deterministic, unlike its time. */
  count(work: () => unknown): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Counts steps of the workspace's sources: each time a block of code runs (V8's precise coverage), and each character
 * or item that a built-in method of a text, a list or a regular expression reads. Counted, since a time depends on the
 * machine. The comparison of two texts by `===` is not counted.
 *
 * Import the code to count afterwards, by `import()`: only code that V8 compiles from now on is counted by block.
 */
export async function startCountingSteps(): Promise<StepCounter> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  vi.resetModules();
  const take = async () => (await session.post('Profiler.takePreciseCoverage')).result;
  return {
    async count(work) {
      await take();
      const reads = countReads(work);
      let steps = reads;
      for (const { url, functions } of await take())
        if (SOURCE.test(url))
          for (const { ranges } of functions) for (const { count } of ranges) steps += count;
      return steps;
    },
    async stop() {
      await session.post('Profiler.stopPreciseCoverage');
      session.disconnect();
      vi.resetModules();
    },
  };
}

const SOURCE = /\/(?:packages|apps)\/(?!testing\/)[^/]+\/src\//;

/** What each method reads: all of its receiver, or only its result. */
const READERS: readonly (readonly [prototype: object, reads: 'all' | 'result', names: readonly string[]])[] =
  [
    [
      String.prototype,
      'all',
      'normalize toUpperCase toLowerCase split replace replaceAll match matchAll trim includes indexOf'.split(
        ' ',
      ),
    ],
    [String.prototype, 'result', 'slice padStart padEnd repeat'.split(' ')],
    [
      Array.prototype,
      'all',
      'join includes indexOf lastIndexOf toSpliced splice toSorted sort toReversed concat'.split(' '),
    ],
    [Array.prototype, 'result', ['slice']],
  ];

type List = ArrayLike<unknown>;
type Method = (this: List, ...given: unknown[]) => unknown;

interface Read {
  readonly receiver: List;
  readonly given: readonly unknown[];
  readonly result: unknown;
}

function countReads(work: () => unknown): number {
  let steps = 0;
  let depth = 0;
  const restorers: (() => void)[] = [];
  // Built-in methods call each other: `replaceAll` calls `exec` for each match. Only what the source calls counts.
  const replace = (prototype: object, name: string, readsOf: (read: Read) => number) => {
    const methods = prototype as Record<string, Method>;
    const method = methods[name];
    if (!method) throw new Error(`There is no method ${name}.`);
    restorers.push(() => {
      methods[name] = method;
    });
    methods[name] = function counted(...given) {
      depth += 1;
      try {
        const result = Reflect.apply(method, this, given);
        if (depth === 1) steps += readsOf({ receiver: this, given, result });
        return result;
      } finally {
        depth -= 1;
      }
    };
  };
  for (const [prototype, reads, names] of READERS)
    for (const name of names)
      replace(
        prototype,
        name,
        ({ receiver, result }) => (reads === 'all' ? receiver : (result as List)).length,
      );
  for (const name of ['test', 'exec'])
    replace(RegExp.prototype, name, ({ given }) => String(given[0]).length);
  try {
    work();
  } finally {
    for (const restore of restorers) restore();
  }
  return steps;
}
