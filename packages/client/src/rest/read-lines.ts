import { ConnectionError, UnexpectedAnswerError } from '../errors.ts';
import type { Connection } from '../open-connection.ts';
import type { Call } from './call.ts';
import { errorOfAnswer } from './error-of-answer.ts';
import { type RetryLimits, retryCall } from './retry-call.ts';
import { exchange } from './send-call.ts';
import { type Silence, startSilence } from './silence.ts';

/** An answer whose body is still to be read. */
interface Opened {
  readonly status: number;
  readonly body: ReadableStreamDefaultReader<Uint8Array>;
  readonly silence: Silence;
}

/**
 * Yields the items of an answer that has one a line, as they arrive. Only the start of the answer is tried again.
 * @throws ConnectionError where the answer ends without the line that says so: it was cut off.
 */
export async function* readLines(
  connection: Connection,
  call: Call,
  limits: RetryLimits,
): AsyncGenerator<object, void, void> {
  const facts = { operation: call.operation, url: connection.url };
  const opened = await retryCall(call, limits, () => open(connection, call));
  let hasEnded = false;
  try {
    for await (const line of linesOf(connection, call, opened)) {
      const item = parsed(line);
      if (item === undefined) throw new UnexpectedAnswerError({ ...facts, status: opened.status });
      if ('end' in item) hasEnded = true;
      else yield item;
    }
  } finally {
    opened.silence.close();
  }
  const cause = new Error('the answer was cut off before its last line');
  if (!hasEnded) throw new ConnectionError({ ...facts, cause });
}

async function open(connection: Connection, call: Call): Promise<Opened> {
  const silence = startSilence(connection.timeoutMs);
  try {
    const { res, text } = await exchange(connection, call, silence.signal, async (signal) => {
      const headers = { accept: 'application/x-ndjson', ...call.headers };
      const answered = await connection.fetch(connection.url + call.target, { headers, signal });
      return { res: answered, text: answered.ok ? '' : await answered.text() };
    });
    if (!res.ok || !res.body) throw errorOfAnswer(res, parsed(text), { ...call, url: connection.url });
    return { status: res.status, body: res.body.getReader(), silence };
  } catch (err) {
    silence.close();
    throw err;
  }
}

/** The lines of a body. A last one without a line feed counts if it is whole. */
async function* linesOf(
  connection: Connection,
  call: Call,
  { body, silence }: Opened,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for (let isDone = false; !isDone;) {
    silence.restart();
    const { value, done } = await exchange(connection, call, silence.signal, () => body.read());
    silence.pause(); // the caller may take its time with a line
    isDone = done;
    const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (parsed(rest) !== undefined) yield rest;
}

function parsed(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
