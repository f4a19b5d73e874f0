import type { RestClient } from '@insurance-verification/client';
import type { WorkItem } from '@insurance-verification/schema';
import type { Draft } from './interview/draft.ts';
import { insuranceDataOf } from './interview/insurance-data-of.ts';
import { leaseOf } from './keep-lease.ts';

/** The service's answer, and its meaning. */
export interface HandedIn {
  readonly document: object;
  readonly line: string;
}

/** Hands in a complete draft. */
export async function handIn(client: RestClient, item: WorkItem, draft: Draft): Promise<HandedIn> {
  const proof = leaseOf(item);
  const { kind, errorReason, isFinal, reference = null, note = null, reason = null } = draft;
  if (kind === 'release')
    return {
      document: await client.work.release({ ...proof, reason }),
      line: 'It is in the queue again.',
    };
  if (kind === 'fail' && errorReason !== undefined) {
    const failure = { error_reason: errorReason, note, reference, final: isFinal === true };
    const document = await client.work.fail({ ...proof, ...failure });
    const line =
      document.next_channel === null
        ? `The request has ended with ${errorReason}.`
        : `It waits for ${document.next_channel} now.`;
    return { document, line };
  }
  const insurance_data = insuranceDataOf(item, draft);
  const document = await client.work.submit({ ...proof, insurance_data, note, reference });
  return { document, line: 'The result was accepted and is on its way to the provider.' };
}
