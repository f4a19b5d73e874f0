import type { WorkItem } from '@insurance-verification/schema';
import { inherited } from '@insurance-verification/testing/inherited';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished } from 'vitest';
import { runSource, startHttpServer, type TestService } from './a-service.ts';

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
  /** The next request of a payer; throws when there is none. */
  claim(payer: string): Promise<HeldItem>;
}

async function anAgent(transport: Parameters<Client['connect']>[0]): Promise<Agent> {
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
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

/** An agent that starts `iv-mcp` itself. */
export const overStdio = ({ url }: TestService): Promise<Agent> =>
  anAgent(
    new StdioClientTransport({
      command: process.execPath,
      args: runSource('../src/main.ts'),
      env: { ...inherited(), IV_URL: url, IV_API_KEY: API_KEY },
      stderr: 'pipe',
    }),
  );

/** An agent of an `iv-mcp --http`. */
export const overHttp = (
  url: string,
  headers: Record<string, string> = { 'x-key': API_KEY },
): Promise<Agent & { readonly transport: StreamableHTTPClientTransport }> => {
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  return anAgent(transport).then((agent) => ({ ...agent, transport }));
};

/** The address of an `iv-mcp --http` for one test. */
export async function anHttpServer({ url }: TestService): Promise<string> {
  const server = await startHttpServer({ IV_URL: url });
  onTestFinished(async () => void (await server.stop()));
  return server.url;
}

/** A request that waits for an agent. */
export async function aPost({ client }: TestService, payer = 'Payer Plan 1'): Promise<string> {
  const request = await client.requests.create({
    patient_info: { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Jane Doe' },
    payer_info: { name: payer },
    provider_info: { npi: '1234567893', name: 'Main Street Dental' },
    callback_url: 'http://127.0.0.1:9/verified',
  });
  return request.request_id ?? '';
}

/** The minimal finding of an agent about a coverage. */
export const aFinding = { plan_info: { plan_name: 'PPO Gold', eligibility_status: 'Active' } };
