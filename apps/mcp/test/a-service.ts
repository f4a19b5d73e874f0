import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRestClient, type RestClient } from '@insurance-verification/client';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { type StartedProcess, startProcess } from '@insurance-verification/testing/start-process';
import { API_KEY, startServiceProcess } from '@insurance-verification/testing/start-service-process';
import { useInFile } from '@insurance-verification/testing/use-in-file';

export interface TestService {
  readonly url: string;
  readonly client: RestClient;
  readonly dataDir: string;
  readonly databaseUrl: string;
  stop(): Promise<unknown>;
}

/** How Node runs the source of a program of this workspace. */
export const runSource = (path: string): string[] => [
  '--conditions=@insurance-verification/source',
  fileURLToPath(new URL(path, import.meta.url)),
];

/** The service as its own process, on its own database; its payers' route is these two channels. */
async function startTestService(facts: object): Promise<TestService> {
  const { connectionString } = await createTestDatabase();
  const payers = [1, 2, 3, 4].map((number) => ({
    id: `plan-${number}`,
    name: `Payer Plan ${number}`,
    channels: ['agent_web_portal', 'manual_phone_call'],
    notes: 'Have the NPI at hand.',
    ...facts,
  }));
  const payersFile = join(aFolder(), 'payers.json');
  writeFileSync(payersFile, JSON.stringify({ payers }));
  const { url, dataDir, stop } = await startServiceProcess({
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

/** `iv-mcp --http` as its own process. */
export function startHttpServer(env: Readonly<Record<string, string>>): Promise<StartedProcess> {
  const command = [process.execPath, ...runSource('../src/main.ts'), '--http'] as const;
  return startProcess(command, { MCP_PORT: '0', ...env });
}

/** A service for all tests of a file, with these facts of each payer. */
export const useService = (facts: object = {}): (() => TestService) =>
  useInFile(() => startTestService(facts));
