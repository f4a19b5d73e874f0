import type { Delivery } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { type Cell, table } from '../terminal/table.ts';

/** `iv deliveries list` */
export function addListDeliveries(deliveries: Command): void {
  withExample(deliveries.command('list'), 'iv deliveries list req_…')
    .description("list a request's deliveries and every attempt")
    .argument('<request_id>', 'the id the service issued')
    .action(async (requestId: string, _options: object, command: Command) => {
      const { client, terminal } = await connect(command);
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
    });
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
