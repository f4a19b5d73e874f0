import { join } from 'node:path';
import { createRestClient, type RestClient } from '@insurance-verification/client';
import { dataDirOf, findRunning, hasDataDir, runsAt } from '@insurance-verification/environment';
import type { Command } from 'commander';
import { commandWords, nameService, rightExample } from '../example.ts';
import { CommandFailedError, WrongUsageError } from '../failure/failure.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';
import { readApiKey, readKept, readServiceUrl } from './config.ts';

/** The client of a command, and its terminal. */
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

/**
 * `IV_URL`, otherwise the address of the service that runs on this `DATA_DIR`. No default port is guessed: another
 * program may listen there.
 * @throws {CommandFailedError} when none runs. @throws {WrongUsageError} when several do.
 */
export async function locateService(environment: NodeJS.ProcessEnv, command: Command): Promise<string> {
  const url = await lookForService(environment, command);
  if (url !== undefined) return url;
  const none = hasDataDir(environment)
    ? `No service is running with the data folder ${dataDirOf(environment)}, and IV_URL names none.`
    : 'IV_URL is not set. Expected the address of the service there.';
  throw new CommandFailedError(`${none}\n${nameService('one', commandWords(command))}`);
}

/**
 * The same for a command that works without a service.
 * @returns undefined when none runs. @throws {WrongUsageError} when several do.
 */
export async function lookForService(
  environment: NodeJS.ProcessEnv,
  command: Command,
): Promise<string | undefined> {
  const given = readServiceUrl(environment);
  if (given !== undefined) return given;
  const dataDir = dataDirOf(environment);
  const [url, ...others] = await findRunning(dataDir);
  if (url === undefined || others.length === 0) return url;
  throw new WrongUsageError(
    `Several services run with the data folder ${dataDir}: ${[url, ...others].join(', ')}. Name the one that is meant.\n` +
      rightExample(`IV_URL=${url} ${commandWords(command)}`),
  );
}

/** The key for a service, and where it was found. */
export interface FoundKey {
  readonly apiKey: string | undefined;
  /** For a message: where the key is from, or where none was found. Never the key itself. */
  readonly source: string;
  /** The key of the test account, where the service keeps both keys; undefined when another key is in use. */
  readonly testKey: string | undefined;
}

/**
 * The key in `IV_API_KEY`, otherwise the one that the service keeps in `DATA_DIR`. A kept key goes only to the service
 * that runs on that folder: another program may listen anywhere on this machine.
 * @throws {WrongUsageError} when the file of `IV_API_KEY_FILE` is unusable.
 */
export async function findApiKey(environment: NodeJS.ProcessEnv, url: string): Promise<FoundKey> {
  const dataDir = dataDirOf(environment);
  const keptIn = join(dataDir, 'api-key');
  const kept = readKept(dataDir, 'api-key');
  const given = readApiKey(environment);
  const isKeeper = kept !== undefined && (given ?? kept) === kept && (await runsAt(dataDir, url));
  const testKey = isKeeper ? readKept(dataDir, 'test-api-key') : undefined;
  if (given !== undefined)
    return { apiKey: given, source: environment['IV_API_KEY'] ? 'IV_API_KEY' : 'IV_API_KEY_FILE', testKey };
  if (isKeeper) return { apiKey: kept, source: keptIn, testKey };
  if (!hasDataDir(environment)) return { apiKey: undefined, source: 'IV_API_KEY', testKey: undefined };
  const elsewhere =
    kept === undefined
      ? `none is kept in ${keptIn}`
      : `the one in ${keptIn} is for the service of that folder`;
  return { apiKey: undefined, source: `IV_API_KEY, and ${elsewhere}`, testKey: undefined };
}
