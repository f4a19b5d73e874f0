import {
  type OperationFact,
  type OperationName,
  OPERATIONS,
  type PayerNames,
} from '@insurance-verification/schema';
import { assertIdempotencyKey, createIdempotencyKey } from '../idempotency-key.ts';
import { type ClientOptions, openConnection } from '../open-connection.ts';
import { toCall } from './call.ts';
import { eachItem } from './each-item.ts';
import type { CreateOptions, RestClient } from './rest-client.ts';
import { retryCall } from './retry-call.ts';
import { sendCall } from './send-call.ts';

/** Where the service is, who calls it, and how often a call is tried again. */
export interface RestClientOptions extends ClientOptions {
  /** Further attempts after the first one; 3 when left out, 0 for none. */
  readonly retryCountMax?: number | undefined;
  /** The longest wait between two attempts, in milliseconds; 10,000 when left out. */
  readonly retryDelayMsMax?: number | undefined;
}

type Invoke = (input?: object, options?: CreateOptions) => Promise<unknown>;

/**
 * A REST client of the service, on `fetch` alone: Node 20 and later, browsers, edge runtimes.
 *
 * @throws TypeError when an option is not usable.
 */
export function createRestClient<P extends PayerNames = PayerNames>(
  options: RestClientOptions,
): RestClient<P> {
  const connection = openConnection(options);
  const { retryCountMax = 3, retryDelayMsMax = 10_000 } = options;
  const limits = { retryCountMax, retryDelayMsMax };

  const invokeOf =
    (operation: OperationName, fact: OperationFact): Invoke =>
    async (input, callOptions = {}) => {
      const call = toCall(operation, input, withKey(fact, callOptions));
      return retryCall(call, limits, () => sendCall(connection, call));
    };

  const client: Record<string, Record<string, unknown>> = {};
  for (const [operation, fact] of Object.entries<OperationFact>(OPERATIONS)) {
    const [group = '', name = ''] = operation.split('.');
    const invoke = invokeOf(operation as OperationName, fact);
    const methods = (client[group] ??= {});
    methods[name] = fact.takesNoInput ? (given?: CreateOptions) => invoke(undefined, given) : invoke;
    if (name === 'list') methods['listAll'] = eachItem(invoke);
  }
  // RestClient says what each operation of the table takes and answers.
  return client as unknown as RestClient<P>;
}

/** An operation that takes a key gets the given one or a new one, which all its attempts share. */
function withKey(
  { takesIdempotencyKey }: OperationFact,
  { idempotencyKey, signal }: CreateOptions,
): CreateOptions {
  if (!takesIdempotencyKey) return { signal };
  if (idempotencyKey === undefined) return { idempotencyKey: createIdempotencyKey(), signal };
  assertIdempotencyKey(idempotencyKey);
  return { idempotencyKey, signal };
}
