import { createTestDatabase } from '@insurance-verification/store/testing';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { startServiceProcess } from '@insurance-verification/testing/start-service-process';
import { useInFile } from '@insurance-verification/testing/use-in-file';

/** What a provider's program has of the service, as variables of its environment. */
export interface ProviderEnv {
  readonly IV_URL: string;
  readonly IV_KEY: string;
  readonly IV_WEBHOOK_SECRET: string;
  /** A file of one row, as NDJSON. */
  readonly IV_ROWS: string;
  readonly WEBHOOK_ID: string;
  readonly WEBHOOK_TIMESTAMP: string;
  readonly WEBHOOK_SIGNATURE: string;
  readonly WEBHOOK_BODY: string;
}

/**
 * What each program returns: it creates, reads the state until there is a result, reads benefits, meets a 404 and a 422,
 * verifies a webhook with a Standard Webhooks library, and reads its body into the generated model. It creates a batch, reads
 * its counters and its results, and lists deliveries, the one of an event too.
 */
export const USED = {
  state: 'complete',
  coverages: 1,
  absent: 404,
  refused: 422,
  delivered: 'complete',
  plans: 1,
  rows: 1,
  lines: 2, // the row, and the end
  event: 'request.answered',
};

const aRequest = (callback_url: string) => ({
  patient_info: { subscriber_id: 'TEST-BENEFITS-DENTAL' },
  payer_info: { name: 'Payer Plan 1' },
  provider_info: { npi: '1234567893', name: 'Main Street Dental' },
  callback_url,
});

/** A service, and a test account whose requests the sandbox answers, for all tests of a file. */
export const useProvider = () =>
  useInFile(async () => {
    const { connectionString } = await createTestDatabase();
    const service = await startServiceProcess({ databaseUrl: connectionString });
    const ask = async <T>(key: string, path: string, body?: object): Promise<T> => {
      const answer = await fetch(`${service.url}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { 'x-key': key, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as T;
    };
    const account = { name: 'Clients', mode: 'test' };
    const { account_id } = await ask<{ account_id: string }>(service.apiKey, '/accounts', account);
    const scopes = { account_id, name: 'clients', scopes: ['requests', 'secrets'] };
    const { key } = await ask<{ key: string }>(service.apiKey, '/keys', scopes);
    const { current: secret } = await ask<{ current: string }>(key, '/webhook-secret');
    await ask(key, '/endpoints', { url: 'https://clinic.example/events', types: [USED.event] });

    /** With a delivery of the service, which a library accepts for five minutes. */
    const anEnv = async (): Promise<ProviderEnv> => {
      const receiver = await aReceiver();
      await ask(key, '/requests/', aRequest(receiver.url));
      const [delivery] = await receiver.first();
      if (!delivery) throw new Error('Nothing was delivered.');
      const { headers, body } = delivery;
      return {
        IV_URL: service.url,
        IV_KEY: key,
        IV_WEBHOOK_SECRET: secret,
        IV_ROWS: `${JSON.stringify(aRequest('https://clinic.example/verified'))}\n`,
        WEBHOOK_ID: String(headers['webhook-id']),
        WEBHOOK_TIMESTAMP: String(headers['webhook-timestamp']),
        WEBHOOK_SIGNATURE: String(headers['webhook-signature']),
        WEBHOOK_BODY: body,
      };
    };
    return { url: service.url, stop: () => service.stop(), anEnv };
  });
