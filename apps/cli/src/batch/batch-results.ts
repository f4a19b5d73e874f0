import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RestClient } from '@insurance-verification/client';
import { BatchRowOutcome } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing, SUBJECTS } from '../failure/failure.ts';
import { connect } from '../service/connect.ts';

interface Options {
  readonly csv?: true;
  readonly outcome?: BatchRowOutcome;
  readonly output?: string;
}

/** `iv batch results`: each line is written as it comes. */
export function addBatchResults(group: Command): void {
  withExample(group.command('results'), 'iv batch results bat_… --csv > results.csv')
    .description(
      'print the results of a batch, a JSON object a line; it fails if they did not come to the end',
    )
    .argument('<batch_id>', SUBJECTS.batch_id.about)
    .option('--csv', 'a CSV file of the main values, for a spreadsheet')
    .addOption(
      new Option('--outcome <outcome>', 'only rows of this outcome').choices(BatchRowOutcome.options),
    )
    .option('-o, --output <file>', 'write them to a file, which is there only once it is whole')
    .action(async (id: string, options: Options, command: Command) => {
      const { client } = await connect(command);
      const lines = linesOf(client, id, options);
      await nameMissing(
        'batch_id',
        id,
        options.output === undefined ? print(lines) : keep(lines, options.output),
      );
    });
}

async function* linesOf(client: RestClient, id: string, { csv, outcome }: Options): AsyncGenerator<string> {
  const asked = { batch_id: id, ...(outcome !== undefined && { outcome }) };
  if (csv) yield* client.batches.results(asked, { format: 'csv' });
  else for await (const item of client.batches.results(asked)) yield `${JSON.stringify(item)}\n`;
}

async function print(lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) if (!process.stdout.write(line)) await once(process.stdout, 'drain');
}

/** Only the owner of the file may read it: it has patients' data. */
async function keep(lines: AsyncIterable<string>, path: string): Promise<void> {
  const part = `${path}.part`;
  try {
    await pipeline(Readable.from(lines), createWriteStream(part, { mode: 0o600 }));
    await rename(part, path);
  } catch (err) {
    await rm(part, { force: true });
    throw err;
  }
}
