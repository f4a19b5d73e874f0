import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { escapeHidden } from '@insurance-verification/schema';
import { rightExample } from '../example.ts';
import { WrongUsageError } from '../failure/failure.ts';

/** A request file's content; the service validates it. */
type RequestFile = Readonly<Record<string, unknown>> & {
  readonly patient_info?: object;
  readonly payer_info?: object;
  readonly provider_info?: object;
};

/**
 * @throws {WrongUsageError} when the file is unreadable or not a JSON object. The message never repeats its content.
 */
export async function readRequestFile(path: string, example: string): Promise<RequestFile> {
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
