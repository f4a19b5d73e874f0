import type { ReceivedBatch } from '@insurance-verification/schema';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { expect } from 'vitest';
import type { TestService } from './a-service.ts';

/** Posts rows as a batch, and returns its id. */
export async function aBatch(
  { url }: Pick<TestService, 'url'>,
  label: string,
  rows: readonly object[],
): Promise<string> {
  const answer = await fetch(`${url}/batches`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-ndjson',
      'x-key': API_KEY,
      'idempotency-key': crypto.randomUUID(),
      'batch-label': label,
    },
    body: rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  });
  expect(answer.status).toBe(202);
  return ((await answer.json()) as ReceivedBatch).batch_id;
}
