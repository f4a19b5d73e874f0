import type { PayerNames } from '@insurance-verification/schema';
import { createIdempotencyKey } from '../idempotency-key.ts';
import { type ClientOptions, openConnection } from '../open-connection.ts';
import { type OperationName, ROUTES } from '../router/operations.ts';
import type { Route } from '../router/procedure.ts';
import { toCall } from './call.ts';
import { eachItem } from './each-item.ts';
import { readItems, readTable } from './read-lines.ts';
import type { CreateOptions, RestClient, RowsOptions, TableOptions } from './rest-client.ts';
import { retryCall } from './retry-call.ts';
import { sendCall } from './send-call.ts';
import { type Rows, sendRows } from './send-rows.ts';

/** The service, the caller, and the limits of retries. */
export interface RestClientOptions extends ClientOptions {
  /** Further attempts after the first one; defaults to 3, 0 means none. */
  readonly retryCountMax?: number | undefined;
  /** The longest wait between two attempts, in milliseconds; defaults to 10,000. */
  readonly retryDelayMsMax?: number | undefined;
}

type Invoke = (input?: object, options?: CreateOptions) => Promise<unknown>;

/**
 * A REST client of the service, built on `fetch` only: Node 20 and later, browsers, edge runtimes.
 *
 * @throws TypeError when an option is unusable.
 */
export function createRestClient<P extends PayerNames = PayerNames>(
  options: RestClientOptions,
): RestClient<P> {
  const connection = openConnection(options);
  const { retryCountMax = 3, retryDelayMsMax = 10_000 } = options;
  const limits = { retryCountMax, retryDelayMsMax };

  const invokeOf =
    (operation: OperationName, fact: Route): Invoke =>
    async (input, callOptions = {}) => {
      const call = toCall(operation, input, withKey(fact, callOptions));
      return retryCall(call, limits, () => sendCall(connection, call));
    };

  const sendRowsOf =
    (operation: OperationName) =>
    async (rows: Rows, { mode, format, ...said }: RowsOptions): Promise<unknown> =>
      sendRows(connection, toCall(operation, { mode }, said), rows, format);

  const readLinesOf =
    (operation: OperationName) =>
    (input: object, { signal, format }: TableOptions = {}): AsyncGenerator<unknown, void, void> =>
      (format === 'csv' ? readTable : readItems)(connection, toCall(operation, input, { signal }), limits);

  const client: Record<string, Record<string, unknown>> = {};
  for (const [operation, fact] of Object.entries<Route>(ROUTES)) {
    const [group = '', name = ''] = operation.split('.');
    const invoke = invokeOf(operation as OperationName, fact);
    const methods = (client[group] ??= {});
    if (fact.takesRows) methods[name] = sendRowsOf(operation as OperationName);
    else if (fact.answersLines) methods[name] = readLinesOf(operation as OperationName);
    else methods[name] = fact.takesNoInput ? (given?: CreateOptions) => invoke(undefined, given) : invoke;
    if (name === 'list') methods['listAll'] = eachItem(invoke);
  }
  // RestClient declares the input and answer of each operation in the table.
  return client as unknown as RestClient<P>;
}

/** Gives an operation that takes a key the given one or a new one, shared by all attempts. */
function withKey(
  { takesIdempotencyKey }: Route,
  { idempotencyKey = createIdempotencyKey(), ...options }: CreateOptions,
): CreateOptions {
  return takesIdempotencyKey ? { idempotencyKey, ...options } : { signal: options.signal };
}
