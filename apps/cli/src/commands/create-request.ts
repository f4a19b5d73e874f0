import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { RestClient } from '@insurance-verification/client';
import { escapeHidden } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { rightExample, withExample } from '../example.ts';
import { WrongUsageError } from '../failure/failure.ts';
import { connect } from '../service/connect.ts';
import { requestFields } from './describe-request.ts';

interface Options {
  readonly file?: string;
  readonly payer?: string;
  readonly subscriberId?: string;
  readonly dob?: string;
  readonly name?: string;
  readonly npi?: string;
  readonly provider?: string;
  readonly code?: readonly string[];
  readonly callbackUrl?: string;
  readonly idempotencyKey?: string;
  readonly serviceDate?: string;
  readonly neededBy?: string;
  readonly gender?: string;
}

const EXAMPLE = 'iv requests create --file request.json --idempotency-key order-4711';

/** `iv requests create` */
export function addCreateRequest(requests: Command): void {
  withExample(requests.command('create'), EXAMPLE)
    .description('store a request; its result goes to its callback address')
    .addOption(
      new Option('--file <path>', 'the request as JSON, as POST /requests/ takes it; - reads it from stdin'),
    )
    .option('--payer <name>', 'the payer plan')
    .option('--subscriber-id <id>', "the patient's member id; seen by others on this machine, unlike a file")
    .option('--dob <date>', "the patient's date of birth, YYYY-MM-DD")
    .option('--name <name>', "the patient's name")
    .option('--npi <npi>', "the provider's NPI")
    .option('--provider <name>', "the provider's name")
    .option('--code <codes...>', 'procedure codes to ask for')
    .option('--callback-url <url>', 'where the result is posted')
    .option('--idempotency-key <key>', 'names the request: again with it stores nothing a second time')
    .option(
      '--service-date <date>',
      'the day to ask the payer about, YYYY-MM-DD; the day of asking without it',
    )
    .option('--needed-by <time>', 'when the result is needed, such as 2026-11-26T17:00:00Z')
    .option('--gender <letter>', "the patient's, F, M or U, for a payer that asks for it")
    .action(async (options: Options, command: Command) => {
      const { client, terminal } = await connect(command);
      const input = { ...(await inputOf(options)) };
      const { idempotencyKey, serviceDate, neededBy, gender } = options;
      const request = await client.requests.create(input, { idempotencyKey, serviceDate, neededBy, gender });
      terminal.answer(
        request,
        requestFields(request, [
          ...(serviceDate === undefined ? [] : [['service_date', serviceDate] as const]),
          ...(neededBy === undefined ? [] : [['needed_by', neededBy] as const]),
        ]),
      );
      if (!terminal.json) terminal.say(`Stored. Its state: iv requests get ${request.request_id}`);
    });
}

type RequestInput = Parameters<RestClient['requests']['create']>[0];

/** The file, overridden by the options. The service reports missing fields by path. */
async function inputOf(options: Options): Promise<RequestInput> {
  const { patient_info, payer_info, provider_info, ...rest } =
    options.file === undefined ? {} : await readRequestFile(options.file, EXAMPLE);
  const { payer, subscriberId, dob, name, npi, provider, code, callbackUrl } = options;
  return {
    ...rest,
    patient_info: {
      ...patient_info,
      ...(subscriberId !== undefined && { subscriber_id: subscriberId }),
      ...(dob !== undefined && { dob }),
      ...(name !== undefined && { name }),
    },
    payer_info: { ...payer_info, ...(payer !== undefined && { name: payer }) },
    provider_info: {
      ...provider_info,
      ...(npi !== undefined && { npi }),
      ...(provider !== undefined && { name: provider }),
    },
    ...(code !== undefined && { cpt_code_coverage: [...code] }),
    ...(callbackUrl !== undefined && { callback_url: callbackUrl }),
  } as RequestInput;
}

/** A request file's content; the service validates it. */
type RequestFile = Readonly<Record<string, unknown>> & {
  readonly patient_info?: object;
  readonly payer_info?: object;
  readonly provider_info?: object;
};

/**
 * @throws {WrongUsageError} when the file is unreadable or not a JSON object. The message never repeats its content.
 */
async function readRequestFile(path: string, example: string): Promise<RequestFile> {
  const written = await readText(path, example);
  const value = parseOrUndefined(written);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as RequestFile;
  throw new WrongUsageError(
    `--file ${escapeHidden(path)} cannot be used: expected one JSON object, a request.\n${rightExample(example)}`,
  );
}

async function readText(path: string, example: string): Promise<string> {
  try {
    return path === '-' ? await text(process.stdin) : await readFile(path, 'utf8');
  } catch (err) {
    const { code = 'unreadable' } = err as NodeJS.ErrnoException;
    throw new WrongUsageError(
      `--file ${escapeHidden(path)} cannot be read (${code}).\n${rightExample(example)}`,
    );
  }
}

function parseOrUndefined(written: string): unknown {
  try {
    return JSON.parse(written) as unknown;
  } catch {
    return undefined;
  }
}
