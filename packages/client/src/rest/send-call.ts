import { ConnectionError, TimeoutError } from '../errors.ts';
import type { Connection } from '../open-connection.ts';
import type { Call } from './call.ts';
import { errorOfAnswer } from './error-of-answer.ts';

/**
 * Sends a call once and returns the answer's JSON. It is not checked against the models: a field or an enum value that
 * a newer service adds must not break an older client.
 * @throws InsuranceVerificationError, or the abort reason of the caller's signal.
 */
export async function sendCall(connection: Connection, call: Call): Promise<unknown> {
  const { res, text } = await exchange(connection, call, connection.startDeadline(), async (signal) => {
    const init: RequestInit = { method: call.method, headers: headersOf(call), signal };
    if (call.body !== undefined) init.body = call.body;
    const answered = await connection.fetch(connection.url + call.target, init);
    return { res: answered, text: await answered.text() };
  });
  return readAnswer(connection, call, res, text);
}

/** The answer's JSON. @throws the error that the answer is. */
export function readAnswer(connection: Connection, call: Call, res: Response, text: string): unknown {
  const answer = parseOrUndefined(text);
  if (res.ok && answer !== undefined) return answer;
  throw errorOfAnswer(res, answer, { ...call, url: connection.url });
}

/** Runs what a call does on the network, and names what broke it. */
export async function exchange<T>(
  { url }: Connection,
  { operation, idempotencyKey, signal: ofCaller }: Call,
  deadline: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  ofCaller?.throwIfAborted();
  try {
    return await run(ofCaller ? AbortSignal.any([ofCaller, deadline]) : deadline);
  } catch (err) {
    // Decided by the signals, not the error, whose name differs between runtimes.
    ofCaller?.throwIfAborted();
    const facts = { operation, url, idempotencyKey, cause: err };
    throw deadline.aborted ? new TimeoutError(facts) : new ConnectionError(facts);
  }
}

function headersOf({ body, headers }: Call): Record<string, string> {
  return {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  };
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
