import type { PayerNames } from '@insurance-verification/schema';
import type { TrpcErrorData, TrpcErrorShape } from '../router.ts';
import type { Operations } from '../router/operations.ts';
import type { Given, Mutation, Query } from '../router/procedure.ts';

/** The options of a single tRPC call. */
export interface TrpcCallOptions {
  /** For the client's links; made by {@link withIdempotencyKey}. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Aborts the call. */
  readonly signal?: AbortSignal;
}

/**
 * The typed tRPC client: `client.requests.get.query({ request_id })`. Equals tRPC's own `TRPCClient<AppRouter>`,
 * written out because tRPC's declarations refer to those of its WebSocket server, which fail in a compiler that checks
 * declarations.
 */
export type TrpcClient<P extends PayerNames = PayerNames> = {
  readonly [Group in keyof Operations<P>]: Calls<Operations<P>[Group]>;
};

type Calls<Group> = { readonly [Name in keyof Group]: CallOf<Group[Name]> };

type CallOf<Operation> =
  Operation extends Query<infer Input, infer Output>
    ? { readonly query: Send<Input, Output> }
    : Operation extends Mutation<infer Input, infer Output>
      ? { readonly mutate: Send<Input, Output> }
      : never;

type Send<Input, Output> = (input: Given<Input>, options?: TrpcCallOptions) => Promise<Output>;

/** The rejection of a failed call of the tRPC client: tRPC's `TRPCClientError`, with the service's own data. */
export interface TrpcError extends Error {
  /** The service's answer; null or undefined when none arrived, which `cause` then explains. */
  readonly data: TrpcErrorData | null | undefined;
  /** The raw answer, with tRPC's own code. */
  readonly shape: TrpcErrorShape | null | undefined;
}
