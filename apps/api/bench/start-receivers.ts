import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Question, ReceiverUrls } from './receivers.ts';

/** The receivers' process, and what it has seen. */
export interface Receivers {
  readonly urls: ReceiverUrls;
  /** Posts since it was made to forget, and the milliseconds from the first to the last of them. */
  readonly count: () => Promise<{ count: number; spanMs: number }>;
  /** By request id, milliseconds since 1970. */
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
    count: () => ask<{ count: number; spanMs: number }>('count'),
    arrivals: async () => {
      const { arrivals } = await ask<{ arrivals: [string, number[]][] }>('arrivals');
      return new Map(arrivals);
    },
    forget: () => ask<undefined>('forget').then(() => undefined),
    stop: () => void child.kill(),
  };
}
