import type { OutputReceipt, RequestModel, ResponseModel } from '@insurance-verification/schema';
import { expect } from 'vitest';
import { aKey } from '../a-key.ts';
import { startTestService, type TestService } from '../a-service.ts';

/** The key of each service's verifier. */
export const verifyKeys = new Map<TestService, string>();

/** A service of each trust mode, each with a verifier: the open one, then the keyed one. */
export async function startBothTrusts(): Promise<[TestService, TestService]> {
  const services = await Promise.all([
    startTestService({ env: { VERIFICATION_OUTPUT_TRUST: 'open' } }),
    startTestService({ env: { VERIFICATION_OUTPUT_TRUST: 'keyed' } }),
  ]);
  for (const service of services) verifyKeys.set(service, await aKey(service, ['verify']));
  return services;
}

export const submit = (service: TestService, output: ResponseModel) =>
  service.answer<OutputReceipt>('POST', '/verification-output', output, verifyKeys.get(service));
export const read = (service: TestService, { request_id }: RequestModel) =>
  service.answer<RequestModel>('GET', `/requests/${request_id}`);
export const held = (reason: string) => ({
  status: 'held',
  reason,
  held_id: expect.stringMatching(/^held_/),
});
