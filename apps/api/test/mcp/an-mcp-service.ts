import { createRestClient, type RestClient } from '@insurance-verification/client';
import type { CreateApiKey, CreatedApiKey } from '@insurance-verification/schema';
import { DEFAULT_ACCOUNT_ID } from '@insurance-verification/store';
import { type Agent, anAgent } from '@insurance-verification/testing/an-agent';
import { useInFile } from '@insurance-verification/testing/use-in-file';
import { type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { aPayersFile } from '../a-payers-file.ts';
import { BOOTSTRAP_KEY, startTestService, type TestService } from '../a-service.ts';

export interface McpService extends TestService {
  /** Calls over REST, with the bootstrap key. */
  readonly client: RestClient;
  /** An agent over HTTP; with the bootstrap key unless the headers have another. */
  agent(headers?: Record<string, string>, options?: ClientOptions): Promise<HttpAgent>;
  /** A request that waits for an agent. */
  post(payer?: string): Promise<string>;
  /** Another key, of the first account and with the scope verify unless it says otherwise. */
  aKey(key?: Partial<CreateApiKey>): Promise<CreatedApiKey>;
  /** @throws unless no line of the log so far is an error. */
  assertWell(): void;
}

export type HttpAgent = Agent & { readonly transport: StreamableHTTPClientTransport };

/**
 * A service for all tests of a file, with these facts of each of its four payers, which are asked over two channels; a
 * lease lasts five seconds.
 */
export function useMcpService(facts: object = {}): () => McpService {
  return useInFile(async () => {
    const payers = [1, 2, 3, 4].map((number) => ({
      id: `plan-${number}`,
      name: `Payer Plan ${number}`,
      channels: ['agent_web_portal', 'manual_phone_call'],
      notes: 'Have the NPI at hand.',
      ...facts,
    }));
    const service = await startTestService({
      env: { PAYERS_FILE: aPayersFile(payers), WORK_LEASE_SECONDS: '5' },
    });
    const client = createRestClient({ url: service.url, apiKey: BOOTSTRAP_KEY });
    return {
      ...service,
      client,
      agent: async (headers = { 'x-key': BOOTSTRAP_KEY }, options) => {
        const url = new URL('/mcp', service.url);
        const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
        return { ...(await anAgent(transport, options)), transport };
      },
      post: async (payer = 'Payer Plan 1') => {
        const request = await client.requests.create({
          patient_info: { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Jane Doe' },
          payer_info: { name: payer },
          provider_info: { npi: '1234567893', name: 'Main Street Dental' },
          callback_url: 'http://127.0.0.1:9/verified',
        });
        return request.request_id ?? '';
      },
      aKey: (key) => client.keys.create({ account_id: DEFAULT_ACCOUNT_ID, scopes: ['verify'], ...key }),
      assertWell: () => {
        const failures = service.logLines.filter((line) => /"level":(?:"error"|5\d)/.test(line));
        if (failures.length > 0) throw new Error(failures.join('\n'));
      },
    };
  });
}
