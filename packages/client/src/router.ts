import type { PayerNames } from '@insurance-verification/schema';
import type { inferRouterInputs, inferRouterOutputs, TRPCBuiltRouter } from '@trpc/server';
import type { Operations } from './router/operations.ts';
import type { TrpcErrorShape } from './router/procedure.ts';

interface RootTypes {
  ctx: object;
  meta: object;
  errorShape: TrpcErrorShape;
  transformer: false;
}

/**
 * The service's tRPC router as a type, for any tRPC client (`createTRPCClient<AppRouter>`, the React adapter). It is
 * written out, from the router itself, so that no code of the service comes with it; the service's type tests prove that
 * the two are equal.
 *
 * `P` are the payer names; by default a payer is any string, since a service's payers are configured at its start.
 */
export type AppRouter<P extends PayerNames = PayerNames> = TRPCBuiltRouter<
  RootTypes,
  Pick<Operations<P>, keyof Operations<P>> // tRPC takes no interface
>;

/** The input of each operation: `RouterInputs['requests']['create']`. Fields with a default are optional. */
export type RouterInputs<P extends PayerNames = PayerNames> = inferRouterInputs<AppRouter<P>>;

/** The output of each operation: `RouterOutputs['requests']['create']`. */
export type RouterOutputs<P extends PayerNames = PayerNames> = inferRouterOutputs<AppRouter<P>>;
