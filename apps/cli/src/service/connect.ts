import { createRestClient, type RestClient } from '@insurance-verification/client';
import type { Command } from 'commander';
import { commandWords, rightExample } from '../example.ts';
import { WrongUsageError } from '../failure/failure.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';
import { findApiKey } from './find-api-key.ts';
import { locateService } from './locate-service.ts';

/** What a command needs to call the service. */
export interface Connection {
  readonly client: RestClient;
  readonly url: string;
  /** The key of the test account, where the service keeps both keys. */
  readonly testKey: string | undefined;
  readonly terminal: Terminal;
}

/** Whom a command calls, and with which key, for the message of its failure. Empty until they are known. */
interface Target {
  readonly url: string;
  readonly keySource: string;
}

const targets = new WeakMap<Command, Target>();

export function targetOf(command: Command): Target {
  return targets.get(command) ?? { url: '', keySource: '' };
}

/**
 * Connects to the service that the environment names, or that runs on this machine.
 * @throws {WrongUsageError} without a key, or with an invalid address or key.
 */
export async function connect(command: Command): Promise<Connection> {
  const url = await locateService(process.env, command);
  const { apiKey, source, testKey } = await findApiKey(process.env, url);
  targets.set(command, { url, keySource: source });
  if (apiKey === undefined) {
    throw new WrongUsageError(
      `No API key for ${url}. Expected one in IV_API_KEY, or kept by a service on this machine; found none in ${source}.\n` +
        rightExample(`IV_API_KEY_FILE=/run/secrets/iv-api-key ${commandWords(command)}`),
    );
  }
  const client = createClient(url, apiKey, commandWords(command));
  return { client, url, testKey, terminal: openTerminal(command) };
}

/** A client without retries: the person at the terminal decides what to try again. */
export function createClient(url: string, apiKey: string, words: string): RestClient {
  try {
    return createRestClient({ url, apiKey, retryCountMax: 0 });
  } catch (err) {
    if (!(err instanceof TypeError)) throw err;
    throw new WrongUsageError(
      `IV_URL or IV_API_KEY cannot be used: ${err.message}.\n` +
        rightExample(`IV_URL=https://verify.example IV_API_KEY_FILE=/run/secrets/iv-api-key ${words}`),
    );
  }
}
