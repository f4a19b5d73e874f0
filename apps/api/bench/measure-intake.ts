import { aRequest } from './a-request.ts';
import { postLoad } from './post-load.ts';

export interface Throughput {
  readonly connectionCount: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failedCount: number;
}

/** Posts requests over `connectionCount` connections; everything but a 2xx counts as failed. */
export async function measureIntake(
  url: string,
  apiKey: string,
  connectionCount: number,
  seconds: number,
): Promise<Throughput> {
  const startedAt = performance.now();
  const { okCount, failedCount, latenciesMs } = await postLoad({
    url: `${url}/requests/`,
    headers: { 'content-type': 'application/json', 'x-key': apiKey },
    body: JSON.stringify(aRequest('https://receiver.example/verified')),
    connectionCount,
    seconds,
  });
  const percentile = (part: number) => latenciesMs[Math.floor(latenciesMs.length * part)] ?? Number.NaN;
  return {
    connectionCount,
    perSecond: okCount / ((performance.now() - startedAt) / 1000),
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    failedCount,
  };
}
