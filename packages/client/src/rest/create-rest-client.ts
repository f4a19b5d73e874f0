import type { PayerNames } from '@insurance-verification/schema';
import { assertIdempotencyKey, createIdempotencyKey } from '../idempotency-key.ts';
import { type ClientOptions, openConnection } from '../open-connection.ts';
import { toCall } from './call.ts';
import { eachItem } from './each-item.ts';
import { OPERATIONS, type Route } from './operations.ts';
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
    (operation: string, route: Route): Invoke =>
    async (input, callOptions = {}) => {
      const call = toCall(operation, route, input, withKey(operation, callOptions));
      return retryCall(call, limits, () => sendCall(connection, call));
    };

  // The table has every operation of the router, and RestClient says what each takes and answers.
  return mapValues(OPERATIONS, (routes, group) => {
    const methods = mapValues<Route, unknown>(routes, (route, name) => {
      const invoke = invokeOf(`${group}.${name}`, route);
      return route.takesInput === false ? (given?: CreateOptions) => invoke(undefined, given) : invoke;
    });
    return 'list' in methods ? { ...methods, listAll: eachItem(methods['list'] as Invoke) } : methods;
  }) as unknown as RestClient<P>;
}

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}

/** Only a create has a key: its own or a new one, which all its attempts share. */
function withKey(operation: string, { idempotencyKey, signal }: CreateOptions): CreateOptions {
  if (operation !== 'requests.create') return { signal };
  if (idempotencyKey === undefined) return { idempotencyKey: createIdempotencyKey(), signal };
  assertIdempotencyKey(idempotencyKey);
  return { idempotencyKey, signal };
}
