import { dataDirOf, findRunning, hasDataDir } from '@insurance-verification/environment';
import type { Command } from 'commander';
import { commandWords, nameService, rightExample } from '../example.ts';
import { CommandFailedError, WrongUsageError } from '../failure/failure.ts';
import { readServiceUrl } from './config.ts';

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
