import { createRestClient } from '@insurance-verification/client';
import type { Schemas } from '@insurance-verification/schema';
import { McpServer } from '@modelcontextprotocol/server';
import type { LeaseBook } from './lease-book.ts';
import { addClaimNext } from './tools/claim-next.ts';
import { addFail } from './tools/fail.ts';
import { addGetRequest } from './tools/get-request.ts';
import { addHeartbeat } from './tools/heartbeat.ts';
import { addRelease } from './tools/release.ts';
import { addSubmitResult } from './tools/submit-result.ts';

export interface ServerOptions {
  readonly url: string;
  /** Of the agent; the service decides what it may do. */
  readonly apiKey: string;
  readonly leases: LeaseBook;
  /** Over the service's own payers. */
  readonly schemas: Schemas;
}

const INSTRUCTIONS =
  'You verify insurance eligibility with payers. Call claim_next, ask the payer over the named channel, call heartbeat ' +
  'while you work, then submit_result, fail or release. Report only what the payer said. Patient data stays in these tools.';

/** The tools of one agent. */
export function createServer({ url, apiKey, leases, schemas }: ServerOptions): McpServer {
  const server = new McpServer(
    { name: 'insurance-verification', version: '0.1.0' },
    { instructions: INSTRUCTIONS },
  );
  const context = { server, client: createRestClient({ url, apiKey, retryCountMax: 0 }), leases, schemas };
  addClaimNext(context);
  addGetRequest(context);
  addHeartbeat(context);
  addSubmitResult(context);
  addFail(context);
  addRelease(context);
  return server;
}
