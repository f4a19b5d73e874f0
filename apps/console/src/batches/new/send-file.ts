import type { BatchMode, HTTPValidationError, Problem, ReceivedBatch } from '@insurance-verification/schema';
import { sessionHeaders } from '../../api/api.ts';
import { CallError } from '../../api/failure.ts';
import type { ReadFile } from './read-file.ts';

/** What is said of all rows of a file. An absent member is not said. */
export interface BatchSettings {
  readonly mode: BatchMode;
  readonly label?: string;
  readonly callbackUrl?: string;
  /** `YYYY-MM-DD`. */
  readonly serviceDate?: string;
  /** As in RFC 3339. */
  readonly neededBy?: string;
}

interface SentFile {
  readonly batch: ReceivedBatch;
  /** Whether the same file was sent before with the same settings; `batch` is then that one. */
  readonly wasThere: boolean;
}

const TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

/**
 * Sends a file as a batch. A call of tRPC takes 500 rows at most, so that the file itself is the body. Sent again after
 * it was cut off, the same file with the same settings continues where it stopped.
 * @throws {CallError}
 */
export async function sendFile(
  file: File,
  format: ReadFile['format'],
  settings: BatchSettings,
): Promise<SentFile> {
  const { mode, label, callbackUrl, serviceDate, neededBy } = settings;
  const headers = {
    ...sessionHeaders(),
    'content-type': TYPES[format],
    'idempotency-key': await keyOf(file, settings),
    ...(label !== undefined && { 'batch-label': label }),
    ...(callbackUrl !== undefined && { 'callback-url': callbackUrl }),
    ...(serviceDate !== undefined && { 'service-date': serviceDate }),
    ...(neededBy !== undefined && { 'needed-by': neededBy }),
  };
  let answer: Response;
  try {
    answer = await fetch(`/console/batches?mode=${mode}`, { method: 'POST', headers, body: file });
  } catch {
    throw new CallError(null); // the network's failure, which has no more to say
  }
  if (!answer.ok) throw await refusalOf(answer);
  return {
    batch: (await answer.json()) as ReceivedBatch,
    wasThere: answer.headers.get('idempotency-replayed') === 'true',
  };
}

/**
 * The digest of the file and of what is said of its rows: any change makes another batch. Another label does not, so that
 * a corrected one sends no row twice.
 */
async function keyOf(file: File, settings: BatchSettings): Promise<string> {
  const content = await digestOf(await file.arrayBuffer());
  const { mode, callbackUrl, serviceDate, neededBy } = settings;
  const said = JSON.stringify([content, mode, callbackUrl, serviceDate, neededBy]);
  return `file-${await digestOf(new TextEncoder().encode(said))}`;
}

async function digestOf(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function refusalOf(answer: Response): Promise<CallError> {
  const { status } = answer;
  // A proxy in front of the service answers in other words.
  if (!/\bjson\b/.test(answer.headers.get('content-type') ?? ''))
    return new CallError({ httpStatus: status });
  const body = (await answer.json()) as Problem | HTTPValidationError;
  return new CallError({
    httpStatus: status,
    ...('code' in body ? { problem: body } : { detail: body.detail ?? [] }),
  });
}
