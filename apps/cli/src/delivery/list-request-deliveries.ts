import type { Delivery } from '@insurance-verification/schema';
import { nameMissing } from '../failure/name-missing.ts';
import type { Connection } from '../service/connect.ts';
import { type Cell, table } from '../terminal/table.ts';

/** One request's deliveries with every attempt. */
export async function listRequestDeliveries(
  { client, terminal }: Connection,
  requestId: string,
): Promise<void> {
  const call = client.requests.deliveries({ request_id: requestId });
  const answer = await nameMissing(`request ${requestId}`, 'iv requests list', call);
  const headings = [
    'DELIVERY_ID',
    'STATUS',
    'ATTEMPT',
    'OUTCOME',
    'HTTP',
    'AT',
    'ANSWER',
    'MS',
    'NEXT_ATTEMPT',
    'VERSION',
  ];
  terminal.answer(answer, table(headings, answer.items.flatMap(rows)));
  if (!terminal.json && answer.items.length === 0)
    terminal.say('No deliveries: the request has no result yet.');
}

/** A row per attempt, or one for a delivery without any. */
function rows({ delivery_id, version, status, next_attempt_at, attempts }: Delivery): Cell[][] {
  if (attempts.length === 0)
    return [[delivery_id, status, null, null, null, null, null, null, next_attempt_at, version]];
  return attempts.map(({ number, at, outcome, status_code, duration_ms, response_snippet }) => [
    delivery_id,
    status,
    number,
    outcome,
    status_code,
    at,
    response_snippet?.trim().slice(0, 60),
    duration_ms,
    next_attempt_at,
    version,
  ]);
}
