import type { PayerNames, Problem, ValidationError } from '@insurance-verification/schema';
/** @ts-ignore An optional peer: a consumer without it compiles all the same, and AppRouter is any. */
import type * as trpc from '@trpc/server';
import type { Operations } from './router/operations.ts';
import type { Given, Mutation, Query } from './router/procedure.ts';

/**
 * The `error.data` of a failed call: tRPC's own `code` (`'NOT_FOUND'`) and `httpStatus`, as from every tRPC server,
 * plus all faults of the input (422) or the problem (every other status).
 */
export type TrpcErrorData = { readonly code: trpc.TRPC_ERROR_CODE_KEY; readonly httpStatus: number } & (
  | { readonly detail: ValidationError[]; readonly problem?: never }
  | { readonly problem: Problem; readonly detail?: never }
);

/** An error in the tRPC API's form. Branch on `data`; `message` is a sentence for people. */
export interface TrpcErrorShape {
  readonly code: trpc.TRPC_ERROR_CODE_NUMBER;
  readonly message: string;
  readonly data: TrpcErrorData;
}

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
export type AppRouter<P extends PayerNames = PayerNames> = trpc.TRPCBuiltRouter<
  RootTypes,
  { [Group in keyof Operations<P>]: Procedures<Operations<P>[Group]> }
>;

type Procedures<Group> = { [Name in keyof Group]: ProcedureOf<Group[Name]> };

type ProcedureOf<Operation> =
  Operation extends Query<infer Input, infer Output>
    ? trpc.TRPCQueryProcedure<Definition<Input, Output>>
    : Operation extends Mutation<infer Input, infer Output>
      ? trpc.TRPCMutationProcedure<Definition<Input, Output>>
      : never;

interface Definition<Input, Output> {
  meta: unknown;
  input: Given<Input>;
  output: Output;
  errorShape: TrpcErrorShape;
}

/** The input of each operation: `RouterInputs['requests']['create']`. Fields with a default are optional. */
export type RouterInputs<P extends PayerNames = PayerNames> = Each<'input', Operations<P>>;

/** The output of each operation: `RouterOutputs['requests']['create']`. */
export type RouterOutputs<P extends PayerNames = PayerNames> = Each<'output', Operations<P>>;

type Each<Side extends string, Groups> = {
  [Group in keyof Groups]: {
    [Name in keyof Groups[Group]]: Groups[Group][Name] extends { readonly [S in Side]: infer Type }
      ? Type
      : never;
  };
};
