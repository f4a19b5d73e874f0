import { setTimeout } from 'node:timers/promises';
import {
  type BatchDefaults,
  type BatchMode,
  httpUrl,
  judgeBatchRow,
  judgeNeededBy,
  judgeServiceDate,
  type RequestInfo,
  type ValidationError,
} from '@insurance-verification/schema';
import {
  acceptStaged,
  addBatchRows,
  type BatchReceiver,
  type BatchRowSent,
  beginBatch,
  completeBatch,
  endIfOver,
  findOtherRow,
  leaveBatch,
  type LiveKey,
} from '@insurance-verification/store';
import { ROW_TOO_LARGE, type SentRow } from '../body/read-rows.ts';
import type { App } from '../procedure/context/app.ts';
import type { Call } from '../procedure/context/call.ts';
import { ProblemError, ValidationFailedError } from '../procedure/problem.ts';
import type { BatchPace } from '../queue/batch-pace.ts';
import { blockedCallback, IDEMPOTENCY_KEY, isTooLarge, readIdempotencyKey } from './create-request.ts';

/** A file of rows with what its headers say. */
export interface BatchFile {
  readonly caller: LiveKey;
  readonly idempotencyKey: string;
  readonly mode: BatchMode;
  readonly label: string | null;
  readonly defaults: BatchDefaults;
  readonly format: 'csv' | 'ndjson' | 'list';
  readonly rows: AsyncIterable<SentRow> | Iterable<SentRow>;
}

/** Characters of a label. */
const LABEL_LENGTH_MAX = 100;

/** Reads the headers of a batch. @throws {ValidationFailedError} for those that no batch can have. */
export function readBatchHead(
  call: Call,
  now: Date,
): Pick<BatchFile, 'idempotencyKey' | 'label' | 'defaults'> {
  const { callbackUrl, serviceDate, neededBy, batchLabel } = call;
  const idempotencyKey = readIdempotencyKey(call.idempotencyKey);
  const day = serviceDate === undefined ? null : judgeServiceDate(serviceDate, now);
  const instant = neededBy === undefined ? null : judgeNeededBy(neededBy, now);
  const faults: ValidationError[] = [
    ...(idempotencyKey === null ? [{ loc: IDEMPOTENCY_KEY, msg: 'Field required', type: 'missing' }] : []),
    ...(day && 'malformed' in day ? [{ loc: ['header', 'service-date'], ...day.malformed }] : []),
    ...(instant && 'malformed' in instant ? [{ loc: ['header', 'needed-by'], ...instant.malformed }] : []),
    ...(callbackUrl !== undefined && !httpUrl().safeParse(callbackUrl).success
      ? [{ loc: ['header', 'callback-url'], msg: 'Input should be a valid URL', type: 'url_parsing' }]
      : []),
    ...(batchLabel !== undefined &&
    (batchLabel.length > LABEL_LENGTH_MAX || !/^[\x20-\x7e]+$/.test(batchLabel))
      ? [
          {
            loc: ['header', 'batch-label'],
            msg: `Value should be 1 to ${LABEL_LENGTH_MAX} printable characters`,
            type: 'string_pattern_mismatch',
          },
        ]
      : []),
  ];
  if (faults.length > 0 || idempotencyKey === null) throw new ValidationFailedError(faults);
  return { idempotencyKey, label: batchLabel ?? null, defaults: { callbackUrl, serviceDate, neededBy } };
}

/** Characters of rows that are stored in one transaction. How many rows that are is the pace's. */
const CHUNK_CHARACTERS = 262_144;

/**
 * Stores the rows of a file as they come, after those that an earlier call with the same key stored. What is stored when
 * this throws stays: the same file with the same key resumes there.
 * @returns the batch's id, and whether it had all of these rows before.
 * @throws {ValidationFailedError} `idempotency_key_reused`, naming the row that differs; `missing` without a row.
 * @throws {ProblemError} `idempotency_in_progress`, `batch_ended`
 */
export async function receiveBatch(
  app: App,
  file: BatchFile,
): Promise<{ readonly batchId: string; readonly isReplay: boolean }> {
  const judge = createJudge(app, file);
  let begun: Begun | undefined;
  let sentCount = 0;
  try {
    for await (const chunk of inChunks(file.rows, app.batchPace)) {
      begun ??= await begin(app, file);
      sentCount += chunk.length;
      await storeChunk(app, begun, { chunk, judge });
      const { pauseMs } = app.batchPace.now;
      if (pauseMs > 0) await setTimeout(pauseMs);
    }
    if (!begun) throw new ValidationFailedError([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
    return await complete(app, begun, sentCount);
  } catch (err) {
    if (begun && begun.receiver.token !== null) await leaveBatch(app.store, begun.receiver);
    throw err;
  }
}

interface Begun {
  readonly receiver: BatchReceiver;
  readonly isComplete: boolean;
  readonly isCutOff: boolean;
}

async function begin({ store }: App, file: BatchFile): Promise<Begun> {
  const { caller, idempotencyKey, mode, label, format, defaults } = file;
  const head = JSON.stringify([format, mode, defaults]);
  const begun = await beginBatch(store, { caller, idempotencyKey, head, mode, label });
  if (begun.kind === 'in_progress') throw new ProblemError('idempotency_in_progress');
  if (begun.kind === 'idempotency_key_reused') throw keyReused('with another format, mode or default');
  const isComplete = begun.kind === 'complete';
  return { receiver: begun.receiver, isComplete, isCutOff: isComplete && begun.isCutOff };
}

interface Chunk {
  readonly chunk: readonly SentRow[];
  readonly judge: (sent: SentRow) => BatchRowSent;
}

async function storeChunk(
  { store }: App,
  { receiver, isComplete, isCutOff }: Begun,
  { chunk, judge }: Chunk,
): Promise<void> {
  const known = chunk.filter(({ row }) => row <= receiver.storedCount);
  const compared = await findOtherRow(store, receiver.batchId, known);
  if (compared.kind === 'other_row') throw otherRow(compared.row);
  // Also those that are stored: their references are taken.
  const rows = chunk.map(judge).filter(({ row }) => row > receiver.storedCount);
  const [first] = rows;
  if (!first) return;
  if (isCutOff) throw new ProblemError('batch_ended');
  if (isComplete) throw otherRow(first.row);
  const added = await addBatchRows(store, receiver, rows);
  if (added.kind === 'cut_off') throw new ProblemError('batch_ended');
  if (added.kind === 'lost') throw new ProblemError('idempotency_in_progress');
}

async function complete({ store }: App, { receiver, isComplete }: Begun, sentCount: number) {
  const { batchId, storedCount } = receiver;
  if (isComplete) {
    if (sentCount < storedCount) throw otherRow(sentCount + 1);
    return { batchId, isReplay: true };
  }
  const completed = await completeBatch(store, receiver, sentCount);
  if (completed.kind === 'lost') throw new ProblemError('idempotency_in_progress');
  if (completed.kind === 'other_row') throw otherRow(completed.row);
  await acceptStaged(store, batchId);
  await endIfOver(store, batchId);
  return { batchId, isReplay: false };
}

async function* inChunks(
  rows: AsyncIterable<SentRow> | Iterable<SentRow>,
  pace: BatchPace,
): AsyncGenerator<readonly SentRow[]> {
  let chunk: SentRow[] = [];
  let characterCount = 0;
  for await (const row of rows) {
    chunk.push(row);
    characterCount += row.text.length;
    if (chunk.length < pace.now.rowCount && characterCount < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = [];
    characterCount = 0;
  }
  if (chunk.length > 0) yield chunk;
}

/** The key was used before, with something else. */
const keyReused = (how: string) =>
  new ValidationFailedError([
    { loc: IDEMPOTENCY_KEY, msg: `This Idempotency-Key was used ${how}`, type: 'idempotency_key_reused' },
  ]);

const otherRow = (row: number) => keyReused(`with another file: row ${row} differs`);

/** Judges the rows of a file, each by itself but for its reference, which has to be the only one. */
function createJudge(app: App, { defaults }: BatchFile): (sent: SentRow) => BatchRowSent {
  const now = new Date();
  const references = new Set<string>();
  return ({ row, text, value, fault }) => {
    if (fault) return { row, text, reference: null, request: null, faults: [fault] };
    const judged = judgeBatchRow(app.schemas, value, { defaults, now });
    const { reference } = judged;
    const isTwice = reference !== null && references.has(reference);
    if (reference !== null) references.add(reference);
    const faults = [
      ...judged.faults,
      ...(isTwice ? [TWICE] : []),
      ...('request' in judged ? faultsOfRequest(app, judged.request) : []),
    ];
    if (faults.length > 0 || !('request' in judged)) return { row, text, reference, request: null, faults };
    const { request: input, serviceDate, neededBy } = judged;
    const payerId = app.config.payers.idOf(input.payer_info.name);
    return { row, text, reference, faults: null, request: { payerId, input, serviceDate, neededBy } };
  };
}

const TWICE: ValidationError = {
  loc: ['body', 'reference'],
  msg: 'The reference should be unique in the batch',
  type: 'reference_twice',
};

function faultsOfRequest(app: App, input: RequestInfo): ValidationError[] {
  const blocked = app.config.production ? blockedCallback(app, input.callback_url, 'callback_url') : null;
  return [...(blocked ? [blocked.fault] : []), ...(isTooLarge(input) ? [ROW_TOO_LARGE] : [])];
}
