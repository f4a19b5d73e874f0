import { inCheckout } from '@insurance-verification/environment';
import type { Command } from 'commander';
import { CommandFailedError, WrongUsageError } from '../failure/failure.ts';
import { findApiKey } from '../service/find-api-key.ts';
import { locateService, lookForService } from '../service/locate-service.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { DemoService } from './demo-service.ts';
import { startOwnService } from './start-own-service.ts';

/** The timeout of the readiness probe in milliseconds. */
const ANSWER_MS = 3_000;

/**
 * The service in `IV_URL`, or the one that runs here; if none answers, the demo starts one.
 * @throws {WrongUsageError} when several run here, as for every command.
 */
export async function findService(command: Command, terminal: Terminal): Promise<DemoService> {
  const environment = process.env;
  const url = await (inCheckout ? lookForService : locateService)(environment, command);
  if (url === undefined || !(await answersReady(url))) {
    const nobody = url === undefined ? 'No service runs here' : `No service answers at ${url}`;
    if (!inCheckout)
      throw new CommandFailedError(`${nobody}. A demo starts a service of its own in a checkout alone.`);
    terminal.say(`${nobody}; starting one for this demo.`);
    return startOwnService();
  }
  const { apiKey, source: keySource } = await findApiKey(environment, url);
  if (apiKey !== undefined)
    return { url, apiKey, keySource, own: false, apiPayer: null, [Symbol.asyncDispose]: async () => {} };
  throw new WrongUsageError(
    `A service answers at ${url}, but there is no API key for it. Expected one in IV_API_KEY; found none in ${keySource}.\n` +
      'Right, for example: IV_API_KEY_FILE=/run/secrets/iv-api-key iv demo',
  );
}

/** @throws {CommandFailedError} when the service is running but not ready. */
async function answersReady(url: string): Promise<boolean> {
  const status = await statusOf(url);
  if (status === 503)
    throw new CommandFailedError(
      `The service at ${url} is not ready (503). Try again when its /readyz answers 200.`,
    );
  return status === 200;
}

/** The status of `/readyz`; undefined when nothing, or another program, answers. */
async function statusOf(url: string): Promise<number | undefined> {
  try {
    const res = await fetch(`${url.replace(/\/+$/, '')}/readyz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (res.status === 503) return 503;
    const answer: unknown = await res.json();
    const isOurs =
      typeof answer === 'object' && answer !== null && 'status' in answer && answer.status === 'ready';
    return isOurs ? 200 : undefined;
  } catch {
    return undefined;
  }
}
