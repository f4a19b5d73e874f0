import type { PayerNames } from '@insurance-verification/schema';
import type { HTTPLinkOptions, TRPCUntypedClient } from '@trpc/client';
import { type CreateHeaders, createHeaders } from '../create-headers.ts';
import { ConnectionError, TimeoutError, UnexpectedAnswerError } from '../errors.ts';
import { assertIdempotencyKey } from '../idempotency-key.ts';
import { type ClientOptions, type Connection, openConnection } from '../open-connection.ts';
import type { AppRouter } from '../router.ts';
import { ROUTES } from '../router/operations.ts';
import type { Route } from '../router/procedure.ts';
import type { TrpcCallOptions, TrpcClient } from './trpc-client.ts';

type Fetch = NonNullable<HTTPLinkOptions<AppRouter['_def']['_config']['$types']>['fetch']>;

/** Longer batches are split: Node refuses headers, including the address, of more than 16 KB. */
const URL_LENGTH_MAX = 8_000;

/** Calls in one batch; the service refuses larger ones. */
const BATCH_COUNT_MAX = 20;

/**
 * A tRPC client of the service, for internal TypeScript services. Calls of one tick share an HTTP request, except
 * `requests.create`, whose Idempotency-Key identifies one call; see {@link withIdempotencyKey}. It does not retry.
 * Errors are tRPC's `TRPCClientError`; branch on `data.code` or `data.httpStatus`, and on `data.problem` or
 * `data.detail`. The first call loads `@trpc/client`, an optional peer of this package.
 *
 * @throws TypeError when an option is unusable.
 */
export function createTrpcClient<P extends PayerNames = PayerNames>(options: ClientOptions): TrpcClient<P> {
  const connection = openConnection(options);
  let made: Promise<Sender> | undefined;
  // One for all calls, since it joins those of one tick. Where the library could not be loaded, the next call tries again.
  const sender = () =>
    (made ??= makeSender(connection).catch((err: unknown) => {
      made = undefined;
      throw err;
    }));

  const client: Record<string, Record<string, object>> = {};
  for (const [operation, { method }] of Object.entries<Route>(ROUTES)) {
    const [group = '', name = ''] = operation.split('.');
    const query = async (input?: unknown, given?: TrpcCallOptions) =>
      (await sender()).query(operation, input, given);
    const mutate = async (input?: unknown, given?: TrpcCallOptions) =>
      (await sender()).mutation(operation, input, given);
    (client[group] ??= {})[name] = method === 'GET' ? { query } : { mutate };
  }
  // TrpcClient declares the input and answer of each operation in the table.
  return client as unknown as TrpcClient<P>;
}

type Sender = TRPCUntypedClient<AppRouter>;

/** @throws Error that says what to install, where tRPC is not there. */
async function makeSender(connection: Connection): Promise<Sender> {
  const { createTRPCUntypedClient, httpBatchLink, httpLink, splitLink } = await loadTrpc();
  const url = `${connection.url}/trpc`;
  const fetch = fetchWithDeadline(connection);
  return createTRPCUntypedClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ path }) => takesHeaders(path),
        true: httpLink({ url, fetch, headers: ({ op }) => createHeaders(op.context) }),
        false: httpBatchLink({ url, fetch, maxURLLength: URL_LENGTH_MAX, maxItems: BATCH_COUNT_MAX }),
      }),
    ],
  });
}

async function loadTrpc() {
  try {
    return await import('@trpc/client'); // inside `try`, a bundler that does not find it only warns
  } catch (err) {
    const message =
      'createTrpcClient could not load tRPC; to install it: npm install @trpc/client @trpc/server';
    throw new Error(message, { cause: err });
  }
}

/**
 * The options that send a create with an Idempotency-Key: `client.requests.create.mutate(input,
 * withIdempotencyKey(key))`. The same key and input return the first answer again, so a retry never makes a second
 * request.
 *
 * @param key 1 to 255 printable ASCII characters, unique to each request.
 * @throws TypeError for any other key.
 */
export function withIdempotencyKey(key: string): { readonly context: { readonly idempotencyKey: string } } {
  assertIdempotencyKey(key);
  return { context: { idempotencyKey: key } };
}

/**
 * As {@link withIdempotencyKey}, with the day to ask about and when the result is needed, which `knownAnswers.create` takes
 * too: `client.requests.create.mutate(input, withCreateHeaders({ idempotencyKey, serviceDate: '2026-12-03' }))`.
 *
 * @throws TypeError for what no header can carry.
 */
export function withCreateHeaders(said: CreateHeaders): { readonly context: Record<string, unknown> } {
  createHeaders(said);
  return { context: { ...said } };
}

/** Whether a call has headers of its own, and so is sent by itself. */
function takesHeaders(path: string): boolean {
  const operations: Readonly<Record<string, Route>> = ROUTES;
  const route = operations[path];
  return route?.takesIdempotencyKey === true || route?.takesAskedWhen === true;
}

/** Adds the address to errors of a failed fetch or a non-JSON answer, since tRPC's own lack it. */
function fetchWithDeadline({ url: service, fetch, startDeadline }: Connection): Fetch {
  return async (target, init) => {
    const [path = ''] = String(target).split('?', 1);
    const facts = { operation: decodeURIComponent(path.slice(`${service}/trpc/`.length)), url: service };
    const deadline = startDeadline();
    const signal = init?.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    try {
      const res = await fetch(String(target), { ...(init as RequestInit), signal });
      if (!res.headers.get('content-type')?.includes('json'))
        throw new UnexpectedAnswerError({ ...facts, status: res.status });
      // Read here so that a connection that breaks during the body is reported as such.
      return new Response(await res.text(), res);
    } catch (err) {
      init?.signal?.throwIfAborted();
      if (err instanceof UnexpectedAnswerError) throw err;
      throw deadline.aborted
        ? new TimeoutError({ ...facts, cause: err })
        : new ConnectionError({ ...facts, cause: err });
    }
  };
}
