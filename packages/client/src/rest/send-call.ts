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
  const { res, text } = await exchange(connection, call);
  const answer = parseOrUndefined(text);
  if (res.ok && answer !== undefined) return answer;
  throw errorOfAnswer(res, answer, { ...call, url: connection.url });
}

async function exchange(connection: Connection, call: Call): Promise<{ res: Response; text: string }> {
  call.signal?.throwIfAborted();
  const deadline = connection.startDeadline();
  const init: RequestInit = {
    method: call.method,
    headers: headersOf(call),
    signal: call.signal ? AbortSignal.any([call.signal, deadline]) : deadline,
  };
  if (call.body !== undefined) init.body = call.body;
  try {
    const res = await connection.fetch(connection.url + call.target, init);
    return { res, text: await res.text() };
  } catch (err) {
    // Decided by the signals, not the error, whose name differs between runtimes.
    call.signal?.throwIfAborted();
    const { operation, idempotencyKey } = call;
    const facts = { operation, url: connection.url, idempotencyKey, cause: err };
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
