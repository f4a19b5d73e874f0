import type { Schemas } from '@insurance-verification/schema';
import { claimNext } from './tools/claim-next.ts';
import { fail } from './tools/fail.ts';
import { getRequest } from './tools/get-request.ts';
import { heartbeat } from './tools/heartbeat.ts';
import { release } from './tools/release.ts';
import { submitResult } from './tools/submit-result.ts';
import type { Tool } from './tools/tool.ts';
import { workStats } from './tools/work-stats.ts';

/** Every tool, with the service's own payers in its schemas. */
export function createTools(schemas: Schemas): readonly Tool[] {
  return [
    claimNext(schemas),
    getRequest(),
    heartbeat(),
    submitResult(schemas),
    fail(),
    release(),
    workStats(schemas),
  ];
}
