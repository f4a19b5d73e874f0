import type { RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { Agent, request } from 'undici';
import { onTestFinished } from 'vitest';

/** Clients that post requests without a pause, each over a connection that it keeps, and try nothing again. */
export interface SteadyPosts {
  /** The ids of what was acknowledged. */
  readonly acknowledged: readonly string[];
  /** Calls that ended otherwise: a status, or the error of a connection. */
  readonly failed: readonly string[];
  /** Resolves after this many more acknowledgements. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

export function postSteadily(url: string, clientCount = 3): SteadyPosts {
  const dispatcher = new Agent({ connections: clientCount, pipelining: 1 });
  const acknowledged: string[] = [];
  const failed: string[] = [];
  let isStopped = false;
  const client = async () => {
    while (!isStopped) {
      try {
        const { statusCode, body } = await request(`${url}/requests/`, {
          method: 'POST',
          headers: { 'x-key': API_KEY, 'content-type': 'application/json' },
          body: JSON.stringify(aRequest()),
          dispatcher,
        });
        const answer = (await body.json()) as RequestModel;
        if (statusCode === 200) acknowledged.push(answer.request_id ?? '');
        else failed.push(String(statusCode));
      } catch (err) {
        failed.push(err instanceof Error ? `${err.name}: ${err.message}` : String(err));
      }
    }
  };
  const clients = Promise.all(Array.from({ length: clientCount }, client));
  const stop = async () => {
    isStopped = true;
    await clients;
  };
  onTestFinished(async () => {
    await stop();
    await dispatcher.close();
  });
  return {
    acknowledged,
    failed,
    more: async (count) => {
      const goal = acknowledged.length + count;
      await until(`${count} more were acknowledged`, () => acknowledged.length >= goal);
    },
    stop,
  };
}
