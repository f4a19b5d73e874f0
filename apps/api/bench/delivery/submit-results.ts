import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';

/** Posts at once. */
const POSTING_COUNT = 32;

/** Where the service is, and a key for it. */
export interface Target {
  readonly url: string;
  readonly apiKey: string;
}

async function post<T>({ url, apiKey }: Target, path: string, body: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json', 'x-key': apiKey };
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return (await answer.json()) as T;
}

/** Requests that wait for their results, the callbacks in turn. */
export async function createRequests(
  target: Target,
  callbackUrls: readonly string[],
  count: number,
): Promise<RequestModel[]> {
  const requests: RequestModel[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const url = callbackUrls[next++ % callbackUrls.length] ?? '';
      requests.push(await post<RequestModel>(target, '/requests/', aRequest({ callback_url: url })));
    }
  };
  await Promise.all(Array.from({ length: POSTING_COUNT }, worker));
  return requests;
}

/** Hands the results in as fast as they are taken. */
export async function submitAll(target: Target, requests: readonly RequestModel[]): Promise<void> {
  const waiting = requests.values();
  const worker = async () => {
    for (const request of waiting) await submit(target, request);
  };
  await Promise.all(Array.from({ length: POSTING_COUNT }, worker));
}

/** Hands the results in at a steady rate, whatever becomes of those before: an open loop. */
export async function submitSteadily(
  target: Target,
  requests: readonly RequestModel[],
  perSecond: number,
): Promise<void> {
  const startedAt = performance.now();
  const submitted: Promise<unknown>[] = [];
  for (const [index, request] of requests.entries()) {
    await sleep(Math.max(startedAt + (index * 1000) / perSecond - performance.now(), 0));
    submitted.push(submit(target, request));
  }
  await Promise.all(submitted);
}

export function submit(target: Target, request: RequestModel): Promise<unknown> {
  return post(target, '/verification-output', anOutput(request));
}
