import { type CreateHeaders, createHeaders } from '../create-headers.ts';
import { NotFoundError, UnusableInputError } from '../errors.ts';
import { type OperationName, ROUTES } from '../router/operations.ts';
import type { Route } from '../router/procedure.ts';

/** One REST call, before it is sent. */
export interface Call {
  /** For errors. */
  readonly operation: OperationName;
  readonly method: 'GET' | 'POST';
  /** Path and query, below the service's address. */
  readonly target: string;
  /** The JSON to send; undefined sends no body, or rows. */
  readonly body: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Those of a create. */
  readonly headers: Readonly<Record<string, string>>;
  readonly repeatable: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Puts an operation's input into its route.
 * @throws UnusableInputError for what is no object, and for what JSON or a header cannot carry.
 * @throws NotFoundError for an id that a path cannot carry. URLs drop "", "." and ".." however they are written, so
 * `/requests/{request_id}` with one of them would be another operation's address.
 */
export function toCall(
  operation: OperationName,
  input: object | undefined,
  { signal, ...said }: CreateHeaders & { readonly signal?: AbortSignal | undefined },
): Call {
  const { method, path, repeatable, takesRows }: Route = ROUTES[operation];
  if (input !== undefined && !isObject(input))
    throw new UnusableInputError('it is not an object', { operation });
  const rest = new Map<string, unknown>(
    Object.entries(input ?? {}).filter(([, value]) => value !== undefined),
  );
  const inPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = String(rest.get(name));
    rest.delete(name);
    if (/^\.{0,2}$/.test(id)) throw new NotFoundError('not_found', { operation });
    return encodeURIComponent(id.toWellFormed());
  });
  const query = new URLSearchParams();
  if (method === 'GET' || takesRows) for (const [name, value] of rest) query.set(name, String(value));
  const sendsBody =
    method === 'POST' && !takesRows && (path.includes('{') ? rest.size > 0 : input !== undefined);
  return {
    operation,
    method,
    target: query.size > 0 ? `${inPath}?${query.toString()}` : inPath,
    body: sendsBody ? jsonOf(operation, Object.fromEntries(rest)) : undefined,
    idempotencyKey: said.idempotencyKey,
    headers: headersOf(operation, said),
    repeatable,
    signal,
  };
}

/** Returns whether a value is an object with members: not a list, bytes or a text. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

/** The runtime's own error would quote names of the input. */
function jsonOf(operation: OperationName, input: object): string {
  try {
    return JSON.stringify(input);
  } catch {
    throw new UnusableInputError('it cannot be written as JSON', { operation });
  }
}

function headersOf(operation: OperationName, said: CreateHeaders): Record<string, string> {
  try {
    return createHeaders(said);
  } catch (err) {
    if (!(err instanceof TypeError)) throw err;
    throw new UnusableInputError(err.message, { operation });
  }
}
