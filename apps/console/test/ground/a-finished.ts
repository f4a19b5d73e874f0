import { anOutput } from '@insurance-verification/testing/an-output';
import type { TestService } from './a-service.ts';

let memberCount = 0;

/** A finished request about a member of its own. */
export async function aFinished(service: TestService) {
  memberCount += 1;
  const patient_info = { subscriber_id: `W-PAGE-${memberCount}`, dob: '1984-05-17', name: 'Jane Shielded' };
  const request = await service.aRequest({ patient_info });
  await service.client.verificationOutput.submit(anOutput(request, { notes: 'Jane Shielded has a plan' }));
  return { id: request.request_id, ...patient_info };
}
