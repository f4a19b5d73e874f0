import type { Schemas } from '@insurance-verification/schema';
import { completable, McpServer } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import { API_VERSION } from '../http/openapi/openapi.ts';
import type { EventMethods } from './events/event-methods.ts';
import { addErrorReasons, addPayers } from './resources.ts';
import { fail, submitResult } from './tools/end-work.ts';
import { DATA_RULE } from './tools/held-item.ts';
import { AgentChannel, claimNext, getRequest, heartbeat, release } from './tools/take-work.ts';
import { strictObject } from './tools/tool-schema.ts';
import type { ToolContext } from './tools/tool.ts';
import { workStats } from './tools/work-stats.ts';

const INSTRUCTIONS =
  'You verify insurance eligibility with payers. Call claim_next, ask the payer over the named channel, then submit_result, ' +
  'fail or release. Your lease is renewed while you are connected; what you must know meanwhile comes as notices in an answer. ' +
  `Report only what the payer said. Patient data stays in these tools. ${DATA_RULE}`;

/** The lists do not change while the process runs. */
const CAPABILITIES = {
  tools: { listChanged: false },
  prompts: { listChanged: false },
  resources: { listChanged: false },
  events: { listChanged: false }, // SEP-3415
};

/** Creates the server of one message, with the service's own payers in its schemas. */
export function createServers(schemas: Schemas, events: EventMethods): (context: ToolContext) => McpServer {
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
    events.addTo(server, context);
    addVerifyOne(server);
    addErrorReasons(server);
    addPayers(server, context, schemas);
    return server;
  };
}

/** A prompt for one verification from claim to end. Created once for all agents. */
function verifyOne({ Payer }: Schemas): (server: McpServer) => void {
  const config = {
    title: 'Verify one patient’s coverage',
    description: 'Takes the next request, asks the payer, and submits what it said.',
    argsSchema: strictObject({
      channel: completed(AgentChannel, AgentChannel.options).meta({
        description: 'The channel to work; either when left out.',
      }),
      payer: completed(Payer, Payer.options).meta({
        description: 'The payer to work for; any when left out.',
      }),
    }),
  };
  return (server) => {
    server.registerPrompt('verify_one', config, ({ channel, payer }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: script(channel, payer) } }],
    }));
  };
}

/**
 * Completes a cloned schema, since the SDK marks the schema itself; inside the optional, where the SDK looks for the
 * mark.
 */
function completed<Schema extends z.ZodEnum>(schema: Schema, values: readonly string[]) {
  return completable(schema.clone(), (begun) =>
    values.filter((value): value is z.output<Schema> & string => value.startsWith(String(begun))),
  ).optional();
}

function script(channel: z.infer<typeof AgentChannel> | undefined, payer: string | undefined): string {
  const claim = JSON.stringify({
    ...(channel !== undefined && { channels: [channel] }),
    ...(payer !== undefined && { payers: [payer] }),
    wait_seconds: 20,
  });
  return `Verify the insurance coverage of one patient, from beginning to end.

1. Call claim_next with ${claim}. When item is null there is nothing to do: say so and stop.
2. Read the item: from_the_request says who the patient and the provider are and which procedure codes are asked for; channel says how to ask; payer has its portal, phone number and notes; service_date is the day to ask about, today when it is null; needed_by says by when the answer is needed; history says what was tried before and why it failed. Do what the notes of payer say. ${DATA_RULE} Without payer.phone_number a call is phone_number_incorrect.
3. Ask the payer over that channel and no other. Write down what it says, word for word where it matters. The lease is renewed while you are connected.
4. End with exactly one of these:
   - submit_result, when the payer answered. Inactive coverage is an answer. List every coverage it named. What it did not say is null; a procedure code it did not answer for is left out and named in notes. Co-payments, deductibles, limits, authorizations and whatever else it said go into benefits, each with its words in quote. payer.sheet, where there is one, lists what else to ask: the answer to a row completes the benefit under its says, or chooses the one under yes or no; leave out what was not answered. Put the payer's reference number into reference.
   - fail, when this channel cannot answer. Choose the error_reason whose meaning fits, and write what you met into note for the next verifier.
   - release, when you cannot work on it at all. It costs the request nothing.
5. If an answer has notices, or says lease_lost, do what it says: do not touch what is no longer yours.
6. End with one sentence on what you did, with only the request_id: no patient data outside of these tools.

Never guess, and never fill in what the payer did not say.`;
}
