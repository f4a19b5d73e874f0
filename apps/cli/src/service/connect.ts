import { createRestClient, type RestClient } from '@insurance-verification/client';
import type { Command } from 'commander';
import { commandWords, rightExample } from '../example.ts';
import { WrongUsageError } from '../failure/failure.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';
import { readApiKey, tellKeySource } from './config.ts';
import { locateService } from './locate-service.ts';

/** What a command needs to call the service. */
export interface Connection {
  readonly client: RestClient;
  readonly url: string;
  readonly terminal: Terminal;
}

const urls = new WeakMap<Command, string>();

/** The address that a command calls; undefined until it is known. */
export function urlOf(command: Command): string | undefined {
  return urls.get(command);
}

/**
 * Connects to the service that the environment names, or that runs on this machine.
 * @throws {WrongUsageError} without a key, or with an invalid address or key.
 */
export async function connect(command: Command): Promise<Connection> {
  const url = await locateService(process.env, command);
  urls.set(command, url);
  const apiKey = readApiKey(process.env, url);
  if (apiKey === undefined) {
    throw new WrongUsageError(
      `No API key. Expected one in IV_API_KEY${isKept(url) ? ', or one kept by a service on this machine' : ''}; found none in ${tellKeySource(process.env, url)}.\n` +
        rightExample(`IV_API_KEY=ivk_live_… ${commandWords(command)}`),
    );
  }
  return { client: createClient(url, apiKey, commandWords(command)), url, terminal: openTerminal(command) };
}

/** A client without retries: the person at the terminal decides what to try again. */
export function createClient(url: string, apiKey: string, words: string): RestClient {
  try {
    return createRestClient({ url, apiKey, retryCountMax: 0 });
  } catch (err) {
    if (!(err instanceof TypeError)) throw err;
    throw new WrongUsageError(
      `IV_URL or IV_API_KEY cannot be used: ${err.message}.\n` +
        rightExample(`IV_URL=https://verify.example IV_API_KEY=ivk_live_… ${words}`),
    );
  }
}

function isKept(url: string): boolean {
  return tellKeySource(process.env, url).endsWith('api-key');
}
