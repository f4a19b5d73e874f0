import type { Schemas } from '../../create-schemas.ts';
import type { RequestInfo } from '../../default-schemas.ts';
import { SANDBOX_MEMBER_IDS, type SandboxOutcome } from '../../verification/sandbox-members.ts';
import { exampleRequest } from './request.ts';

const RESULTS = {
  active: 'Active coverage',
  inactive: 'Inactive coverage',
  several: 'Several coverages',
  slow: 'Active coverage, after half a minute',
  never: 'No result: it stays pending',
  corrected: 'Active coverage, then a corrected result',
  member_id_changed: 'Active coverage under another member id',
} as const satisfies Record<Exclude<SandboxOutcome['kind'], 'benefits' | 'failed'>, string>;

function resultOf(outcome: SandboxOutcome): string {
  if (outcome.kind === 'benefits') return `Active coverage with ${outcome.sample} benefits`;
  if (outcome.kind === 'failed') return `Not verified: error_verifying, ${outcome.errorReason}`;
  return RESULTS[outcome.kind];
}

/** A body for each member that the sandbox answers in a test account, after one for a verifier or a payer. */
export function exampleRequests(schemas: Schemas): Record<string, NamedExample> {
  const usual = exampleRequest(schemas);
  const ofSandbox = Object.entries(SANDBOX_MEMBER_IDS).map(([memberId, outcome]) => {
    const patient_info = { ...usual.patient_info, subscriber_id: memberId };
    return [memberId, { summary: `${memberId}: ${resultOf(outcome)}`, value: { ...usual, patient_info } }];
  });
  return {
    member: { summary: 'Any member: A payer or a verifier answers', value: usual },
    ...(Object.fromEntries(ofSandbox) as Record<string, NamedExample>),
  };
}

interface NamedExample {
  /** One line: the result. */
  readonly summary: string;
  readonly value: RequestInfo;
}
