import type {
  InsurancePlanData,
  RequestInfo,
  VerificationSource,
  WorkItem,
  WorkItemList,
} from '@insurance-verification/schema';
import { aPayersFile } from '../a-payers-file.ts';
import type { TestService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { rows } from '../rows.ts';

/** A `PAYERS_FILE` whose four payers have this route, and the given facts. */
export function aRouteFile(channels: readonly unknown[], facts: object = {}): Record<string, string> {
  const payers = [1, 2, 3, 4].map((number) => ({
    id: `plan-${number}`,
    name: `Payer Plan ${number}`,
    channels,
    ...facts,
  }));
  return { PAYERS_FILE: aPayersFile(payers) };
}

export async function claim(
  service: TestService,
  channels: readonly VerificationSource[],
  input: object = {},
): Promise<WorkItem[]> {
  const { items } = await service.answer<WorkItemList>('POST', '/work/claim', { channels, ...input });
  return items;
}

/** A stored request, leased in this channel. */
export async function aLease(
  service: TestService,
  channel: VerificationSource,
  changes: Partial<RequestInfo> = {},
): Promise<WorkItem & { request: { request_id: string } }> {
  const request = await aStoredRequest(service, changes);
  const items = await claim(service, [channel], { max: 50 });
  const item = items.find((found) => found.request.request_id === request.request_id);
  if (!item) throw new Error('The request was not leased.');
  return { ...item, request };
}

/** One coverage of the request's patient, found in the leased channel. */
export function aFinding(item: WorkItem, changes: Partial<InsurancePlanData> = {}): InsurancePlanData {
  return {
    person_uuid: 'person-1',
    verification_time: '2026-11-20T10:00:00Z',
    verification_source: item.channel,
    patient_info: { subscriber_id: item.request.input.patient_info.subscriber_id },
    plan_info: { plan_name: 'Dental PPO', eligibility_status: 'Active' },
    ...changes,
  };
}

/** Makes a lease expire now. */
export function lapse(service: TestService, requestId: string): Promise<unknown> {
  return rows(service.databaseUrl, `update work_queue set leased_until = now() where request_id = $1`, [
    requestId,
  ]);
}
