import { createReadStream } from 'node:fs';
import {
  ConnectionError,
  type RestClient,
  TimeoutError,
  UnavailableError,
} from '@insurance-verification/client';
import {
  BatchMode,
  escapeHidden,
  type ReceivedBatch,
  type SpreadsheetDoubt,
} from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { withExample } from '../example.ts';
import { CommandFailedError, RowsRejectedError } from '../failure/failure.ts';
import { connect } from '../service/connect.ts';
import { type Terminal, typedWords } from '../terminal/terminal.ts';
import { batchFields } from './batch-fields.ts';
import { type BatchFile, EXAMPLE, inspectFile } from './batch-file.ts';
import { writeRejected } from './rejected-file.ts';

interface Options {
  readonly mode?: BatchMode;
  readonly label?: string;
  readonly callbackUrl?: string;
  readonly serviceDate?: string;
  readonly neededBy?: string;
  readonly key?: string;
}

/** `iv batch create` */
export function addCreateBatch(group: Command): void {
  withExample(group.command('create'), EXAMPLE)
    .description('send a file of requests; the same command resumes it where the connection broke')
    .argument('<file>', 'CSV with the columns of `iv batch template`, or NDJSON with a request a line')
    .addOption(
      new Option('--mode <mode>', 'what becomes of the valid rows when others are not').choices(
        BatchMode.options,
      ),
    )
    .option('--label <text>', 'a name for people; no patient in it')
    .option('--callback-url <url>', 'where the results of rows without a callback_url are posted')
    .option('--service-date <date>', 'the day to ask the payers about, for rows that do not say')
    .option('--needed-by <time>', 'when the results are needed, for rows that do not say')
    .option('--key <key>', 'names the batch; by default the SHA-256 of the file, so that a file is sent once')
    .action(async (path: string, options: Options, command: Command) => {
      const { client, terminal } = await connect(command);
      const say = (message: string) => (terminal.json ? undefined : terminal.say(message));
      const file = await inspectFile(path);
      sayDoubts(file, terminal);
      const batch = await send(client, { file, options, say });
      terminal.answer(batch, batchFields(batch));
      if (batch.counters.rejected > 0) await keepRejected(client, file, batch);
    });
}

/** Doubts that are shown. */
const DOUBT_COUNT_MAX = 20;

const DOUBTS: Readonly<Record<SpreadsheetDoubt, string>> = {
  lost_zero: 'a spreadsheet seems to have dropped a leading zero',
  date_as_number: 'a spreadsheet seems to have made a number of a date',
  scientific_number: 'a spreadsheet seems to have shortened a long number',
};

function sayDoubts({ doubts }: BatchFile, terminal: Terminal): void {
  for (const { row, column, doubt } of doubts.slice(0, DOUBT_COUNT_MAX))
    terminal.say(`Warning: row ${row}, ${column}: ${DOUBTS[doubt]}. It is sent as it is.`);
  if (doubts.length > DOUBT_COUNT_MAX)
    terminal.say(`Warning: and ${counted(doubts.length - DOUBT_COUNT_MAX)} more cells like these.`);
}

interface Sending {
  readonly file: BatchFile;
  readonly options: Options;
  readonly say: (message: string) => void;
}

/** @throws {CommandFailedError} that says how to resume, where the connection broke. */
async function send(client: RestClient, { file, options, say }: Sending): Promise<ReceivedBatch> {
  const { key, ...said } = options;
  say(`Sending ${counted(file.rowCount)} rows.`);
  try {
    return await client.batches.create(bytesOf(file, say), {
      ...said,
      format: file.format,
      idempotencyKey: key ?? `sha256-${file.digest}`,
    });
  } catch (err) {
    const broke = err instanceof TimeoutError || err instanceof UnavailableError || isBroken(err);
    if (!broke) throw err;
    throw new CommandFailedError(
      `${err.message}.\nThe rows that were stored stay stored. To resume, with the same file:\n${typedWords()}`,
    );
  }
}

/** Not where there was none: then the usual message says what to start. */
const isBroken = (err: unknown): err is ConnectionError =>
  err instanceof ConnectionError && err.causeCode !== 'ECONNREFUSED';

async function* bytesOf({ path, marks, rowCount }: BatchFile, say: Sending['say']): AsyncGenerator<Buffer> {
  let [byteCount, markCount] = [0, 0];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    yield chunk;
    byteCount += chunk.length;
    for (let mark = marks[markCount]; mark && mark.byteCount <= byteCount; mark = marks[markCount]) {
      say(`${counted(mark.row)} of ${counted(rowCount)} rows are sent.`);
      markCount += 1;
    }
  }
  say('All rows are sent; the service is storing the last ones.');
}

/** @throws {RowsRejectedError} always, once the rows are in their file. */
async function keepRejected(client: RestClient, file: BatchFile, batch: ReceivedBatch): Promise<never> {
  const { path, rowCount } = await writeRejected(file, client.batches.errors({ batch_id: batch.batch_id }));
  const { received, rejected } = batch.counters;
  const outcome =
    rowCount < rejected
      ? `No row was accepted, since ${counted(rowCount)} of ${counted(received)} have faults (all_or_nothing).`
      : `${counted(rejected)} of ${counted(received)} rows were rejected.`;
  throw new RowsRejectedError(
    `${outcome} They are in ${escapeHidden(path)}, with their faults. Correct them there, and send that file.`,
  );
}

const counted = (count: number) => count.toLocaleString('en-US');
