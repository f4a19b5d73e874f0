import type { VerificationAttempt, WorkItem } from '@insurance-verification/schema';
import { sinceText } from '../terminal/duration.ts';
import { fields } from '../terminal/table.ts';
import { visible } from '../terminal/visible.ts';

/** Everything a person needs to ask the payer. */
export function workLines(item: WorkItem, waitingCount: number | null): string[] {
  const { request, channel, payer, history, attempt } = item;
  const { patient_info: patient, provider_info: provider, payer_info: asked } = request.input;
  return [
    ...fields([
      ['request_id', request.request_id],
      ['waiting', sinceText(request.received_timestamp)],
      ['lease', `to ${new Date(item.lease_expires_at).toTimeString().slice(0, 5)}, renewed while you work`],
      ['queue', waitingCount === null ? null : `${waitingCount} more waiting`],
      ['channel', channel],
      ['attempt', attempt],
      ['payer', payer.name],
      ['call', payer.phone_number ?? asked.phone_number],
      ['menu', payer.menu_path],
      ['portal', payer.portal_url],
      ['know', payer.notes],
      ['patient', patient.name],
      ['subscriber_id', patient.subscriber_id],
      ['dob', patient.dob],
      ['address', patient.address],
      ['provider', provider.name],
      ['npi', provider.npi],
      ['tin', provider.tin],
      ['organization', provider.organization_name],
      ['cpt_codes', request.input.cpt_code_coverage?.join(' ')],
    ]),
    ...history.map(attemptLine),
  ];
}

function attemptLine({ number, channel, outcome, error_reason, note }: VerificationAttempt): string {
  const why = [error_reason, note].filter((text) => text !== null && text !== undefined).join(': ');
  return `attempt ${number} (${channel ?? 'unknown'}) ${outcome}${why === '' ? '' : `: ${visible(why)}`}`;
}
