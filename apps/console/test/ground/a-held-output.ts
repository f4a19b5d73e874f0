import type { RequestModel } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import type { TestService } from './a-service.ts';

/** Hands in that a request failed, under its member id with two digits swapped: an operator has to look. @returns its id. */
export async function aHeldOutput(
  { client }: TestService,
  request: RequestModel,
  error_reason: 'member_not_found' | 'payer_unavailable' = 'member_not_found',
): Promise<string> {
  const { input } = request;
  const { held_id: id = '' } = await client.verificationOutput.submit(
    anOutput(request, {
      input: { ...input, patient_info: { ...input.patient_info, subscriber_id: 'W123456798' } },
      state: 'error_verifying',
      error_reason,
      insurance_data: [],
    }),
  );
  return id;
}
