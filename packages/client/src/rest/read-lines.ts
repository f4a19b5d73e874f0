import { ConnectionError, UnexpectedAnswerError } from '../errors.ts';
import type { Connection } from '../open-connection.ts';
import type { Call } from './call.ts';
import { errorOfAnswer } from './error-of-answer.ts';
import { type RetryLimits, retryCall } from './retry-call.ts';
import { exchange } from './send-call.ts';
import { type Silence, startSilence } from './silence.ts';

/** An answer whose body is still to be read. */
interface Opened {
  readonly body: ReadableStreamDefaultReader<Uint8Array>;
  readonly silence: Silence;
}

/**
 * Yields the items of an answer that has one a line, as they arrive. Only the start of the answer is tried again.
 * @throws ConnectionError where the answer ends without the line that says so: it was cut off.
 */
export async function* readItems(
  connection: Connection,
  call: Call,
  limits: RetryLimits,
): AsyncGenerator<object, void, void> {
  const { operation } = call;
  let hasEnded = false;
  for await (const line of linesOf(connection, call, { limits, accept: 'application/x-ndjson' })) {
    const item = parsed(line);
    if (item === undefined) throw new UnexpectedAnswerError({ operation, url: connection.url, status: 200 });
    if ('end' in item) hasEnded = true;
    else yield item;
  }
  if (!hasEnded) throw cutOff(connection, call);
}

/**
 * Yields the lines of an answer as a CSV file, as they arrive, without the last one, which says that it is the last.
 * @throws ConnectionError where that is missing.
 */
export async function* readTable(
  connection: Connection,
  call: Call,
  limits: RetryLimits,
): AsyncGenerator<string, void, void> {
  let last: string | undefined;
  for await (const line of linesOf(connection, call, { limits, accept: 'text/csv' })) {
    if (last !== undefined) yield `${last}\n`;
    last = line;
  }
  // Only the last line counts, and it has no quote: a line within a quoted cell may begin like it.
  if (!/^end,\d+,*\r?$/.test(last ?? '')) throw cutOff(connection, call);
}

const cutOff = ({ url }: Connection, { operation }: Call) =>
  new ConnectionError({ operation, url, cause: new Error('the answer was cut off before its last line') });

interface Asked {
  readonly limits: RetryLimits;
  readonly accept: string;
}

/** The lines of the answer to a call; of a line that was cut off nothing. */
async function* linesOf(
  connection: Connection,
  call: Call,
  { limits, accept }: Asked,
): AsyncGenerator<string, void, void> {
  const { body, silence } = await retryCall(call, limits, () => open(connection, call, accept));
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (let isDone = false; !isDone;) {
      silence.restart();
      const { value, done } = await exchange(connection, call, silence.signal, () => body.read());
      silence.pause(); // the caller may take its time with a line
      isDone = done;
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    silence.close();
  }
}

async function open(connection: Connection, call: Call, accept: string): Promise<Opened> {
  const silence = startSilence(connection.timeoutMs);
  try {
    const { res, text } = await exchange(connection, call, silence.signal, async (signal) => {
      const headers = { accept, ...call.headers };
      const answered = await connection.fetch(connection.url + call.target, { headers, signal });
      return { res: answered, text: answered.ok ? '' : await answered.text() };
    });
    if (!res.ok || !res.body) throw errorOfAnswer(res, parsed(text), { ...call, url: connection.url });
    return { body: res.body.getReader(), silence };
  } catch (err) {
    silence.close();
    throw err;
  }
}

function parsed(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
