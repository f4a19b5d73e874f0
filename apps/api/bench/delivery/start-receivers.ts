import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Question, ReceiverUrls } from './receivers.ts';

/** The receivers' process, and its records. */
export interface Receivers {
  readonly urls: ReceiverUrls;
  /** Waits for that many posts since `forget`: the arrival of the last one, in milliseconds since 1970. */
  readonly reached: (count: number) => Promise<number>;
  /** Milliseconds since 1970, by request id. */
  readonly arrivals: () => Promise<ReadonlyMap<string, readonly number[]>>;
  readonly forget: () => Promise<void>;
  readonly stop: () => void;
}

export async function startReceivers(): Promise<Receivers> {
  const child = fork(fileURLToPath(new URL('./receivers.ts', import.meta.url)), {
    execArgv: ['--conditions=@insurance-verification/source'],
    serialization: 'advanced',
  });
  const next = async <T>(): Promise<T> => ((await once(child, 'message')) as [T])[0];
  const ask = <T>(question: Question): Promise<T> => {
    const answer = next<T>();
    child.send(question);
    return answer;
  };
  const { urls } = await next<{ urls: ReceiverUrls }>();
  return {
    urls,
    reached: async (count) => (await ask<{ at: number }>({ reached: count })).at,
    arrivals: async () => {
      const { arrivals } = await ask<{ arrivals: [string, number[]][] }>('arrivals');
      return new Map(arrivals);
    },
    forget: () => ask<undefined>('forget').then(() => undefined),
    stop: () => void child.kill(),
  };
}

/** All arrivals, once every expected webhook has arrived. */
export async function arrivalsOf(
  receivers: Receivers,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  for (;;) {
    const arrivals = await receivers.arrivals();
    if (ids.every((id) => arrivals.has(id))) return arrivals;
    await pause(50);
  }
}
