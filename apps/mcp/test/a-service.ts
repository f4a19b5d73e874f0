import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRestClient, type RestClient } from '@insurance-verification/client';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { type Agent, anAgent } from '@insurance-verification/testing/an-agent';
import { inherited } from '@insurance-verification/testing/inherited';
import { startServiceHere } from '@insurance-verification/testing/start-service-here';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { useInFile } from '@insurance-verification/testing/use-in-file';
import type { ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export interface TestService {
  readonly url: string;
  readonly client: RestClient;
  readonly dataDir: string;
  readonly databaseUrl: string;
  stop(): Promise<unknown>;
}

/** How Node runs `iv-mcp`. */
export const IV_MCP: readonly string[] = [
  '--conditions=@insurance-verification/source',
  fileURLToPath(new URL('../src/main.ts', import.meta.url)),
];

/** A service on its own database; its payers' route is these two channels. */
async function startTestService(): Promise<TestService> {
  const { connectionString } = await createTestDatabase();
  const payers = [1, 2, 3, 4].map((number) => ({
    id: `plan-${number}`,
    name: `Payer Plan ${number}`,
    channels: ['agent_web_portal', 'manual_phone_call'],
    notes: 'Have the NPI at hand.',
  }));
  const payersFile = join(aFolder(), 'payers.json');
  writeFileSync(payersFile, JSON.stringify({ payers }));
  const { url, dataDir, stop } = await startServiceHere({
    databaseUrl: connectionString,
    env: { PAYERS_FILE: payersFile, WORK_LEASE_SECONDS: '5' },
  });
  return {
    url,
    dataDir,
    databaseUrl: connectionString,
    client: createRestClient({ url, apiKey: API_KEY }),
    stop,
  };
}

/** An agent that starts `iv-mcp` itself. */
export async function overStdio(
  { url }: Pick<TestService, 'url'>,
  options?: ClientOptions,
): Promise<Agent & { readonly pid: number }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...IV_MCP],
    env: { ...inherited(), IV_URL: url, IV_API_KEY: API_KEY },
    stderr: 'pipe',
  });
  const agent = await anAgent(transport, options);
  return { ...agent, pid: transport.pid ?? 0 };
}

/** A request that waits for an agent. */
export async function aPost({ client }: TestService, payer = 'Payer Plan 1'): Promise<string> {
  const { request_id } = await client.requests.create({
    patient_info: { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Jane Doe' },
    payer_info: { name: payer },
    provider_info: { npi: '1234567893', name: 'Main Street Dental' },
    callback_url: 'http://127.0.0.1:9/verified',
  });
  return request_id ?? '';
}

/** A service for all tests of a file. */
export const useService = (): (() => TestService) => useInFile(startTestService);
