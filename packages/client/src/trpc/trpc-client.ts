import type { PayerNames } from '@insurance-verification/schema';
import type { AnyTRPCProcedure, inferProcedureInput, inferProcedureOutput } from '@trpc/server';
import type { AppRouter, TrpcErrorData, TrpcErrorShape } from '../router.ts';

/** What a single tRPC call may be given beside its input. */
export interface TrpcCallOptions {
  /** For the client's links, as {@link withIdempotencyKey} makes it. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Ends the call. */
  readonly signal?: AbortSignal;
}

/**
 * The typed tRPC client: `client.requests.get.query({ request_id })`. What tRPC's own `TRPCClient<AppRouter>` is, written
 * out: tRPC's declarations of it refer to those of its WebSocket server, which no compiler that checks declarations takes.
 */
export type TrpcClient<P extends PayerNames = PayerNames> = Calls<AppRouter<P>['_def']['record']>;

type Calls<Operations> = {
  readonly [Name in keyof Operations]: Operations[Name] extends AnyTRPCProcedure
    ? CallOf<Operations[Name]>
    : Calls<Operations[Name]>;
};

type CallOf<Procedure extends AnyTRPCProcedure> = Procedure['_def']['type'] extends 'query'
  ? { readonly query: Send<Procedure> }
  : { readonly mutate: Send<Procedure> };

type Send<Procedure extends AnyTRPCProcedure> = (
  input: inferProcedureInput<Procedure>,
  options?: TrpcCallOptions,
) => Promise<inferProcedureOutput<Procedure>>;

/** What a failed call of the tRPC client rejects with: tRPC's `TRPCClientError`, with the service's own data. */
export interface TrpcError extends Error {
  /** What the service answered; null or undefined when no answer came, and the `cause` then tells why. */
  readonly data: TrpcErrorData | null | undefined;
  /** The answer as it came, with tRPC's own code. */
  readonly shape: TrpcErrorShape | null | undefined;
}
