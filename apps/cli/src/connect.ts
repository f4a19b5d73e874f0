import { createRestClient, type RestClient } from '@insurance-verification/client';
import type { Command } from 'commander';
import { readApiKey, readServiceUrl, tellKeySource } from './config.ts';
import { WrongUsageError } from './failure.ts';
import { openTerminal, type Terminal } from './terminal.ts';

/** What a command that calls the service works with. */
export interface Connection {
  readonly client: RestClient;
  readonly url: string;
  readonly terminal: Terminal;
}

/**
 * The service that the environment names.
 * @throws {WrongUsageError} without a key, or with an address or a key that none can be.
 */
export function connect(command: Command): Connection {
  const url = readServiceUrl(process.env);
  const apiKey = readApiKey(process.env, url);
  if (apiKey === undefined) {
    throw new WrongUsageError(
      `No API key. Expected one in IV_API_KEY${isKept(url) ? ', or one kept by a service on this machine' : ''}; found none in ${tellKeySource(process.env, url)}.\n` +
        'Right, for example: IV_API_KEY=ivk_live_… iv requests list',
    );
  }
  return { client: createClient(url, apiKey), url, terminal: openTerminal(command) };
}

/** A client that tells a failure at once: the person at the terminal decides what to try again. */
export function createClient(url: string, apiKey: string): RestClient {
  try {
    return createRestClient({ url, apiKey, retryCountMax: 0 });
  } catch (err) {
    if (!(err instanceof TypeError)) throw err;
    throw new WrongUsageError(
      `IV_URL or IV_API_KEY cannot be used: ${err.message}.\n` +
        'Right, for example: IV_URL=https://verify.example IV_API_KEY=ivk_live_… iv requests list',
    );
  }
}

function isKept(url: string): boolean {
  return tellKeySource(process.env, url).endsWith('api-key');
}
