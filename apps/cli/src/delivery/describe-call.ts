import { planLines } from '../output/plan-lines.ts';
import { type Block, fields } from '../terminal/table.ts';
import { textAt } from '../terminal/text-at.ts';
import type { ReceivedCall } from './start-receiver.ts';

/** A received call for `--json`: its content, and whether its signature proves that the service sent it. */
export function callDocument(call: ReceivedCall): object {
  return {
    received_at: call.receivedAt.toISOString(),
    method: call.method,
    path: call.path,
    webhook_id: call.id,
    version: call.version,
    verified: call.refusal === null,
    reason: call.refusal?.reason ?? null,
    request_id: textAt(call.body, 'request', 'request_id'),
    state: textAt(call.body, 'request', 'state'),
    error_reason: textAt(call.body, 'request', 'error_reason'),
    insurance_data: insuranceDataOf(call.body),
  };
}

/** The same for a person to read. */
export function callLines(call: ReceivedCall): Block[] {
  const { refusal, body } = call;
  return [
    ...fields([
      ['received', call.receivedAt.toISOString()],
      ['call', `${call.method} ${call.path}`],
      ['webhook-id', call.id],
      ['version', call.version],
      ['verified', refusal === null ? 'yes' : `no: ${refusal.message} (${refusal.reason})`],
      ['request_id', textAt(body, 'request', 'request_id')],
      ['state', textAt(body, 'request', 'state')],
      ['error_reason', textAt(body, 'request', 'error_reason')],
    ]),
    ...planLines(insuranceDataOf(body)),
    '',
  ];
}

function insuranceDataOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'insurance_data' in body ? body.insurance_data : null;
}
