import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Schemas } from '@insurance-verification/schema';
import { McpServer } from '@modelcontextprotocol/server';
import { createTools } from './create-tools.ts';
import { verifyOne } from './prompts/verify-one.ts';
import { addErrorReasons } from './resources/error-reasons.ts';
import { addPayers } from './resources/payers.ts';
import { DATA_RULE } from './tools/held-item.ts';
import type { ToolContext } from './tools/tool-context.ts';

const INSTRUCTIONS =
  'You verify insurance eligibility with payers. Call claim_next, ask the payer over the named channel, then submit_result, ' +
  'fail or release. Your lease is renewed while you are connected; what you must know meanwhile comes as notices in an answer. ' +
  `Report only what the payer said. Patient data stays in these tools. ${DATA_RULE}`;

/** Of the client that this program was built with: a release gives it the next number, and the API keeps its own. */
const { version } = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('@insurance-verification/client/package.json')), 'utf8'),
) as { version: string };

/** The lists do not change while the program runs. */
const CAPABILITIES = {
  tools: { listChanged: false },
  prompts: { listChanged: false },
  resources: { listChanged: false },
};

/** Creates the server of one message or one connection, with the service's own payers in its schemas. */
export function createServers(schemas: Schemas): (context: ToolContext) => McpServer {
  const tools = createTools(schemas);
  const addVerifyOne = verifyOne(schemas);
  return (context) => {
    const server = new McpServer(
      { name: 'insurance-verification', title: 'Insurance verification', version },
      { instructions: INSTRUCTIONS, capabilities: CAPABILITIES },
    );
    for (const tool of tools) tool.addTo(server, context);
    addVerifyOne(server);
    addErrorReasons(server);
    addPayers(server, context, schemas);
    return server;
  };
}
