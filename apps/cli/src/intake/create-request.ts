import type { RestClient } from '@insurance-verification/client';
import { type Command, Option } from 'commander';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';
import { readRequestFile } from './read-request-file.ts';
import { requestFields } from './request-fields.ts';

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
    .action(async (options: Options, command: Command) => {
      const { client, terminal } = await connect(command);
      const input = { ...(await inputOf(options)) };
      const { idempotencyKey, serviceDate, neededBy } = options;
      const request = await client.requests.create(input, { idempotencyKey, serviceDate, neededBy });
      terminal.answer(
        request,
        requestFields(request, [
          ...(serviceDate === undefined ? [] : [['service_date', serviceDate] as const]),
          ...(neededBy === undefined ? [] : [['needed_by', neededBy] as const]),
        ]),
      );
      if (!terminal.json) terminal.say(`Stored. How it stands: iv requests get ${request.request_id}`);
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
