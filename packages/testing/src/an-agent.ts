import type { WorkItem } from '@insurance-verification/schema';
import { Client, type ClientOptions, type Transport } from '@modelcontextprotocol/client';
import { expect, onTestFinished } from 'vitest';

/** What an agent sees of a lease. */
export type HeldItem = Omit<WorkItem, 'lease_token' | 'request'> & {
  readonly request: Omit<WorkItem['request'], 'input'>;
  readonly from_the_request: WorkItem['request']['input'];
};

export interface Agent {
  readonly client: Client;
  /** A tool's answer, validated by the client against the output schema; throws when it is an error. */
  call<T = Record<string, unknown>>(name: string, args?: Record<string, unknown>): Promise<T>;
  /** The error text of a tool. */
  refusal(name: string, args?: Record<string, unknown>): Promise<string>;
  /** The next request of a payer; throws without one. */
  claim(payer: string): Promise<HeldItem>;
}

/** An agent of one test, connected over a transport. */
export async function anAgent(transport: Transport, options: ClientOptions = {}): Promise<Agent> {
  const client = new Client({ name: 'test-agent', version: '1.0.0' }, options);
  await client.connect(transport);
  onTestFinished(() => client.close());
  await client.listTools(); // from here on the client validates tool answers
  const ask = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
    const [first] = content as { type: string; text: string }[];
    return { text: first?.text ?? '', structuredContent, isError: isError === true };
  };
  const call: Agent['call'] = async <T>(name: string, args?: Record<string, unknown>) => {
    const { text, structuredContent, isError } = await ask(name, args);
    if (isError) throw new Error(`${name}: ${text}`);
    expect(JSON.parse(text)).toEqual(structuredContent);
    return structuredContent as T;
  };
  return {
    client,
    call,
    refusal: async (name, args) => {
      const { text, isError } = await ask(name, args);
      expect(isError).toBe(true);
      return text;
    },
    claim: async (payer) => {
      const { item } = await call<{ item: HeldItem | null }>('claim_next', {
        payers: [payer],
        wait_seconds: 20,
      });
      if (!item) throw new Error('There was nothing to claim.');
      return item;
    },
  };
}

/** The minimal finding of an agent about a coverage. */
export const aFinding = { plan_info: { plan_name: 'PPO Gold', eligibility_status: 'Active' } };
