import type { PayerNames } from '@insurance-verification/schema';
import type { AnyTRPCProcedure, inferProcedureInput, inferProcedureOutput } from '@trpc/server';
import type { AppRouter } from '../router.ts';
import type { TrpcErrorData, TrpcErrorShape } from '../router/procedure.ts';

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

/** The rejection of a failed call of the tRPC client: tRPC's `TRPCClientError`, with the service's own data. */
export interface TrpcError extends Error {
  /** The service's answer; null or undefined when none arrived, which `cause` then explains. */
  readonly data: TrpcErrorData | null | undefined;
  /** The raw answer, with tRPC's own code. */
  readonly shape: TrpcErrorShape | null | undefined;
}
