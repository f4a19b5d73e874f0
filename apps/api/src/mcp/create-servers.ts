import type { Schemas } from '@insurance-verification/schema';
import { McpServer } from '@modelcontextprotocol/server';
import { API_VERSION } from '../http/openapi/openapi.ts';
import { addErrorReasons, addPayers } from './resources.ts';
import { fail, submitResult } from './tools/end-work.ts';
import { DATA_RULE } from './tools/held-item.ts';
import { claimNext, getRequest, heartbeat, release } from './tools/take-work.ts';
import type { ToolContext } from './tools/tool.ts';
import { workStats } from './tools/work-stats.ts';
import { verifyOne } from './verify-one.ts';

const INSTRUCTIONS =
  'You verify insurance eligibility with payers. Call claim_next, ask the payer over the named channel, then submit_result, ' +
  'fail or release. Your lease is renewed while you are connected; what you must know meanwhile comes as notices in an answer. ' +
  `Report only what the payer said. Patient data stays in these tools. ${DATA_RULE}`;

/** The lists do not change while the process runs. */
const CAPABILITIES = {
  tools: { listChanged: false },
  prompts: { listChanged: false },
  resources: { listChanged: false },
};

/** Creates the server of one message, with the service's own payers in its schemas. */
export function createServers(schemas: Schemas): (context: ToolContext) => McpServer {
  const tools = [
    claimNext(schemas),
    getRequest(),
    heartbeat(),
    submitResult(schemas),
    fail(),
    release(),
    workStats(schemas),
  ];
  const addVerifyOne = verifyOne(schemas);
  return (context) => {
    const server = new McpServer(
      { name: 'insurance-verification', title: 'Insurance verification', version: API_VERSION },
      { instructions: INSTRUCTIONS, capabilities: CAPABILITIES },
    );
    for (const tool of tools) tool.addTo(server, context);
    addVerifyOne(server);
    addErrorReasons(server);
    addPayers(server, context, schemas);
    return server;
  };
}
