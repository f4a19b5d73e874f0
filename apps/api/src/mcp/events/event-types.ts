import type { Scope } from '@insurance-verification/schema';
import type { LiveKey, SubscriptionKey } from '@insurance-verification/store';
import * as z from 'zod';
import { AgentChannel } from '../tools/take-work.ts';
import { strictObject } from '../tools/tool-schema.ts';

/** An event that a client may subscribe to. Its data are ids and counts, never a patient's. */
export interface McpEventType {
  readonly name: SubscriptionKey['name'];
  /** Any one of these lets a key have it. */
  readonly scopes: readonly Scope[];
  readonly arguments: z.ZodType<SubscriptionKey['wanted']>;
  /** As `events/list` returns it. */
  readonly listed: Readonly<Record<string, unknown>>;
}

/** The types, with the service's own payers. */
export function createEventTypes(payers: readonly string[]): readonly McpEventType[] {
  const ofResult = z.object({ request_id: z.string(), version: z.int() });
  const type = (
    name: McpEventType['name'],
    scopes: readonly Scope[],
    description: string,
    args: z.ZodObject,
    payload: z.ZodObject,
  ): McpEventType => ({
    name,
    scopes,
    arguments: args,
    listed: {
      name,
      description,
      delivery: ['webhook'],
      inputSchema: z.toJSONSchema(args, { io: 'input' }),
      payloadSchema: z.toJSONSchema(payload),
    },
  });
  return [
    type(
      'work.available',
      ['verify'],
      'claim_next has requests of this payer and channel for you: count of them. At most one in ten seconds for a payer and channel.',
      strictObject({
        payer: z.enum(payers).optional().meta({ description: 'Only this payer; any when left out.' }),
        channel: AgentChannel.optional().meta({ description: 'Only this channel; either when left out.' }),
      }),
      z.object({ payer: z.string(), channel: AgentChannel, count: z.int() }),
    ),
    type(
      'request.answered',
      ['requests', 'operate'],
      'The first result of a request is complete.',
      strictObject({}),
      ofResult,
    ),
    type(
      'request.failed',
      ['requests', 'operate'],
      'The first result of a request is an error.',
      strictObject({}),
      ofResult,
    ),
    type(
      'batch.ended',
      ['requests', 'operate'],
      'No row of a batch waits for a result any more.',
      strictObject({}),
      z.object({ batch_id: z.string() }),
    ),
  ];
}

/** Whether a key may have events of this type. */
export const mayHave = ({ scopes }: McpEventType, key: LiveKey): boolean =>
  scopes.some((scope) => key.scopes.includes(scope));
