import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { request as send } from 'undici';

/** Concurrent posts. */
const POSTING_COUNT = 32;

/** The service's address, and a key. */
export interface Target {
  readonly url: string;
  readonly apiKey: string;
}

async function post<T>({ url, apiKey }: Target, path: string, body: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json', 'x-key': apiKey };
  const answer = await send(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
  return (await answer.body.json()) as T;
}

/** Creates pending requests, with the callback addresses in turn. */
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

/** Submits the results as fast as the service accepts them. */
export async function submitAll(target: Target, requests: readonly RequestModel[]): Promise<void> {
  const waiting = requests.values();
  const worker = async () => {
    for (const request of waiting) await submit(target, request);
  };
  await Promise.all(Array.from({ length: POSTING_COUNT }, worker));
}

/** Submits the results at a steady rate, regardless of earlier answers: an open loop. */
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
