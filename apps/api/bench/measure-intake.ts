import autocannon from 'autocannon';
import { aRequest } from './a-request.ts';

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
  const result = await autocannon({
    url: `${url}/requests/`,
    method: 'POST',
    connections: connectionCount,
    duration: seconds,
    headers: { 'content-type': 'application/json', 'x-key': apiKey },
    body: JSON.stringify(aRequest('https://receiver.example/verified')),
  });
  return {
    connectionCount,
    perSecond: result['2xx'] / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failedCount: result.non2xx + result.errors + result.timeouts,
  };
}
