import type { RequestInfo, RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import type { TestService } from './a-service.ts';

export async function aStoredRequest(
  service: TestService,
  changes: Partial<RequestInfo> = {},
  key?: string,
): Promise<RequestModel & { request_id: string }> {
  return service.answer('POST', '/requests/', aRequest(changes), key);
}
