import { expect } from 'vitest';
import type { InsuranceVerificationError } from '../src/errors.ts';
import { createRestClient, type RestClientOptions } from '../src/rest/create-rest-client.ts';
import { type Answer, aServer } from './a-server.ts';

/** A client of a server that gives these answers. */
export async function aClient(answers: [Answer, ...Answer[]], options: Partial<RestClientOptions> = {}) {
  const { url, seen } = await aServer(...answers);
  return { client: createRestClient({ url, apiKey: 'ivk_test_key', ...options }), seen, url };
}

/** The error that a call ends with. */
export const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it succeeded'),
    (err: unknown) => err as InsuranceVerificationError & Record<string, unknown>,
  );
