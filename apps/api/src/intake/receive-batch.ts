import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  type BatchDefaults,
  type BatchMode,
  httpUrl,
  judgeBatchRow,
  judgeNeededBy,
  judgeServiceDate,
  REFERENCE_TWICE_FAULT,
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
  isDatabaseUnavailable,
  leaveBatch,
  type LiveKey,
  renewReceiver,
} from '@insurance-verification/store';
import { ROW_TOO_LARGE, type SentRow } from '../body/read-rows.ts';
import type { UploadWatch } from '../body/read-upload.ts';
import { stillAdmitted } from '../procedure/admit.ts';
import type { App, Context } from '../procedure/context/app.ts';
import type { Call } from '../procedure/context/call.ts';
import {
  type LeftBatch,
  ProblemError,
  type PublicError,
  toPublicError,
  ValidationFailedError,
} from '../procedure/problem.ts';
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
  /** Reads the rows, once. */
  readonly read: (watch: UploadWatch) => AsyncIterable<SentRow> | Iterable<SentRow>;
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

/** Milliseconds for which rows wait for others to be stored with: a slow sender's are stored as they come. */
const CHUNK_MS = 1_000;

/**
 * Stores the rows of a file as they come, after those that an earlier call with the same key stored. What is stored when
 * this throws stays: the same file with the same key resumes there. Each chunk is stored only for a caller that may still
 * call this, and once the account's quota has room for its rows.
 * @returns the batch's id, and whether it had all of these rows before.
 * @throws {ValidationFailedError} `idempotency_key_reused`, naming the row that differs; `missing` without a row.
 * @throws {ProblemError} `idempotency_in_progress`, `batch_ended`; `rate_limited` with too many uploads of the key; those
 * of {@link stillAdmitted} and of reading. What ends a batch that has begun names it.
 */
export async function receiveBatch(
  context: Context,
  file: BatchFile,
): Promise<{ readonly batchId: string; readonly isReplay: boolean }> {
  const { app } = context;
  const upload = new Upload(context, file);
  const judge = createJudge(app, file);
  const endUpload = file.format === 'list' ? undefined : app.limiter.beginUpload(file.caller);
  try {
    for await (const chunk of inChunks(file.read(upload.watch), app.batchPace)) {
      await upload.store(chunk, judge);
      const { pauseMs } = app.batchPace.now;
      if (pauseMs > 0) await setTimeout(pauseMs);
    }
    return await upload.complete();
  } catch (err) {
    throw await upload.leave(err);
  } finally {
    endUpload?.();
  }
}

interface Begun {
  readonly receiver: BatchReceiver;
  readonly isComplete: boolean;
  readonly isCutOff: boolean;
}

/** Milliseconds between two renewals of the fencing token, which lapses after ten seconds. */
const RENEW_MS = 3_000;

/** Milliseconds between two looks whether the quota has room, at most: a caller's end shows in that time. */
const QUOTA_MS_MAX = 1_000;

/** One call that sends rows. */
class Upload {
  readonly #context: Context;
  readonly #file: BatchFile;
  /** With the rights and the quotas of now. */
  #caller: LiveKey;
  #begun: Begun | undefined;
  #sentCount = 0;
  #storedCount = 0;
  /** Rows that are paid for and not stored: at first one, for which the call itself was counted. */
  #paidCount = 1;
  #renewedAt = 0;

  constructor(context: Context, file: BatchFile) {
    this.#context = context;
    this.#file = file;
    this.#caller = file.caller;
  }

  /** Ends the upload of a caller that has ended, and keeps the batch of one that sends. */
  readonly watch: UploadWatch = async ({ hasNewBytes }) => {
    await this.#readmit();
    if (hasNewBytes) await this.#renew();
  };

  async #readmit(): Promise<void> {
    this.#caller = (await stillAdmitted(this.#context.call, 'batches.create')) ?? this.#caller;
  }

  /** Stores rows, those that are not stored yet. */
  async store(chunk: readonly SentRow[], judge: (sent: SentRow) => BatchRowSent): Promise<void> {
    const { store } = this.#context.app;
    const { receiver, isComplete, isCutOff } = (this.#begun ??= await this.#begin());
    this.#sentCount += chunk.length;
    const known = chunk.filter(({ row }) => row <= receiver.storedCount);
    const compared = await findOtherRow(store, receiver.batchId, known);
    if (compared.kind === 'other_row') throw otherRow(compared.row);
    // Also those that are stored: their references are taken.
    const rows = (await judgeEach(chunk, judge)).filter(({ row }) => row > receiver.storedCount);
    const [first] = rows;
    if (!first) return;
    if (isCutOff) throw ended(receiver);
    if (isComplete) throw otherRow(first.row);
    await this.#pay(rows.length);
    await this.#readmit();
    const { routes } = this.#context.app.config.payers;
    const added = await addBatchRows(store, { ...receiver, routes }, rows);
    if (added.kind === 'cut_off') throw new ProblemError('batch_ended');
    if (added.kind === 'lost') throw new ProblemError('idempotency_in_progress');
    this.#storedCount = rows.at(-1)?.row ?? this.#storedCount;
    this.#renewedAt = performance.now();
  }

  /** The last row was stored. */
  async complete(): Promise<{ readonly batchId: string; readonly isReplay: boolean }> {
    const { store } = this.#context.app;
    if (!this.#begun)
      throw new ValidationFailedError([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
    const { isComplete, receiver } = this.#begun;
    const { batchId, storedCount } = receiver;
    if (isComplete) {
      if (this.#sentCount < storedCount) throw otherRow(this.#sentCount + 1);
      return { batchId, isReplay: true };
    }
    const completed = await completeBatch(store, receiver, this.#sentCount);
    if (completed.kind === 'lost') throw new ProblemError('idempotency_in_progress');
    if (completed.kind === 'other_row') throw otherRow(completed.row);
    await acceptStaged(store, batchId, this.#context.app.config.payers.routes);
    await endIfOver(store, batchId);
    return { batchId, isReplay: false };
  }

  /** Lets another call resume the batch at once. @returns the error that the call ends with, which names the batch. */
  async leave(err: unknown): Promise<unknown> {
    if (!this.#begun || this.#begun.receiver.token === null) return err;
    const { receiver } = this.#begun;
    const storedCount = await this.#letGo(receiver);
    return ofBatch(toPublicError(err), { batchId: receiver.batchId, storedCount });
  }

  /** @returns how many rows are stored. */
  async #letGo(receiver: BatchReceiver): Promise<number> {
    try {
      return await leaveBatch(this.#context.app.store, receiver);
    } catch (err) {
      if (!isDatabaseUnavailable(err)) throw err;
      return this.#storedCount; // the token lapses by itself
    }
  }

  async #begin(): Promise<Begun> {
    const { caller, idempotencyKey, mode, label, format, defaults } = this.#file;
    const head = JSON.stringify([format, mode, defaults]);
    const begun = await beginBatch(this.#context.app.store, { caller, idempotencyKey, head, mode, label });
    if (begun.kind === 'in_progress') throw new ProblemError('idempotency_in_progress');
    if (begun.kind === 'idempotency_key_reused') throw keyReused('with another format, mode or default');
    this.#renewedAt = performance.now();
    this.#storedCount = begun.receiver.storedCount;
    const isComplete = begun.kind === 'complete';
    return { receiver: begun.receiver, isComplete, isCutOff: isComplete && begun.isCutOff };
  }

  /** Waits until the account's quota has room for rows. That time is the service's, not the sender's. */
  async #pay(rowCount: number): Promise<void> {
    const { limiter } = this.#context.app;
    while (this.#paidCount < rowCount) {
      const { takenCount, waitMs } = await limiter.takeRows(this.#caller, rowCount - this.#paidCount);
      this.#paidCount += takenCount;
      if (waitMs === 0) continue;
      await setTimeout(Math.min(waitMs, QUOTA_MS_MAX));
      await this.watch({ hasNewBytes: true });
    }
    this.#paidCount -= rowCount;
  }

  async #renew(): Promise<void> {
    if (!this.#begun || performance.now() - this.#renewedAt < RENEW_MS) return;
    this.#renewedAt = performance.now();
    await renewReceiver(this.#context.app.store, this.#begun.receiver);
  }
}

/** Milliseconds of judging rows in one turn of the event loop. A row of 300 faults takes one, and a chunk has 314 of them. */
const JUDGE_MS = 10;

async function judgeEach(
  chunk: readonly SentRow[],
  judge: (sent: SentRow) => BatchRowSent,
): Promise<BatchRowSent[]> {
  const rows: BatchRowSent[] = [];
  let since = performance.now();
  for (const sent of chunk) {
    if (performance.now() - since > JUDGE_MS) {
      await setImmediate();
      since = performance.now();
    }
    rows.push(judge(sent));
  }
  return rows;
}

async function* inChunks(
  rows: AsyncIterable<SentRow> | Iterable<SentRow>,
  pace: BatchPace,
): AsyncGenerator<readonly SentRow[]> {
  let chunk: SentRow[] = [];
  let characterCount = 0;
  let since = performance.now();
  for await (const row of rows) {
    if (chunk.length === 0) since = performance.now();
    chunk.push(row);
    characterCount += row.text.length;
    const isFull = chunk.length >= pace.now.rowCount || characterCount >= CHUNK_CHARACTERS;
    if (!isFull && performance.now() - since < CHUNK_MS) continue;
    yield chunk;
    chunk = [];
    characterCount = 0;
  }
  if (chunk.length > 0) yield chunk;
}

/** Errors after which the same file is of no use to the batch. */
const ENDING: ReadonlySet<string> = new Set(['batch_ended', 'idempotency_in_progress']);

/** An error with the batch that it leaves incomplete, and what to do about it. */
function ofBatch(err: PublicError, batch: LeftBatch): PublicError {
  const { batchId, storedCount } = batch;
  const rows = `${storedCount.toLocaleString('en-US')} rows are stored in the batch ${batchId}`;
  const advice = `${rows}: send the mended file with the same Idempotency-Key`;
  if (err instanceof ProblemError)
    return err.with({ batch, ...(!ENDING.has(err.code) && { detail: `${err.message} ${advice}.` }) });
  if (err.detail.some(({ type }) => type === 'idempotency_key_reused'))
    return new ValidationFailedError(err.detail, batch); // another file: it is of no use to the batch
  return new ValidationFailedError(
    err.detail.map((fault) => ({ ...fault, msg: `${fault.msg}. ${advice}` })),
    batch,
  );
}

/** The batch was canceled, or abandoned, before all of its file came. */
const ended = ({ batchId, storedCount }: BatchReceiver) =>
  new ProblemError('batch_ended').with({ batch: { batchId, storedCount } });

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
      ...(isTwice ? [REFERENCE_TWICE_FAULT] : []),
      ...('request' in judged ? faultsOfRequest(app, judged.request) : []),
    ];
    if (faults.length > 0 || !('request' in judged)) return { row, text, reference, request: null, faults };
    const { request: input, serviceDate, neededBy, gender } = judged;
    const payerId = app.config.payers.idOf(input.payer_info.name);
    const said = { serviceDate, neededBy, ...(gender !== undefined && { gender }) };
    return { row, text, reference, faults: null, request: { payerId, input, ...said } };
  };
}

function faultsOfRequest(app: App, input: RequestInfo): ValidationError[] {
  const blocked = app.config.production ? blockedCallback(app, input.callback_url, 'callback_url') : null;
  return [...(blocked ? [blocked.fault] : []), ...(isTooLarge(input) ? [ROW_TOO_LARGE] : [])];
}
