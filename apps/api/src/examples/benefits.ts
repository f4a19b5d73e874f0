import { type RequestBenefits, type Schemas } from '@insurance-verification/schema';
import { readCoverages } from '../benefits/read-coverages.ts';
import { EXAMPLE_IDS } from './ids.ts';
import { examplePlanData } from './output.ts';
import { exampleRequest } from './request.ts';

/** What the payer's 271 said of the example's plan. */
export function exampleBenefits(schemas: Schemas): RequestBenefits {
  const plan = examplePlanData(schemas);
  const rows = [
    ['EB*1*IND*30*PR*PPO GOLD'],
    ['EB*C*IND*30***23*50*****Y'],
    ['EB*C*IND*30***29*0*****Y'],
    ['EB*F*IND*35***23*1500*****Y'],
    ['EB*A*IND******0*VS*2*N*Y*AD:D1110', 'HSD*VS*2***23*1'],
  ].map((segments, row) => ({ row, loop: 'patient' as const, delimiters: '*:^', segments }));
  const coverages = [{ group_number: '70112', relationship: 'self' as const, order: null, rows }];
  const stored = { serviceDate: '2026-11-20', leftOut: 0, coverages, attempt: 1, reference: null };
  return {
    request_id: EXAMPLE_IDS.request,
    version: 1,
    verification_source: 'api',
    verification_time: plan.verification_time,
    service_date: stored.serviceDate,
    left_out: stored.leftOut,
    coverages: readCoverages([plan], stored, exampleRequest(schemas)),
  };
}
