import type { Problem, ValidationError } from '@insurance-verification/schema';
import type {
  TRPC_ERROR_CODE_KEY,
  TRPC_ERROR_CODE_NUMBER,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
} from '@trpc/server';

/**
 * The `error.data` of a failed call: tRPC's own `code` (`'NOT_FOUND'`) and `httpStatus`, as from every tRPC server,
 * plus all faults of the input (422) or the problem (every other status).
 */
export type TrpcErrorData = { readonly code: TRPC_ERROR_CODE_KEY; readonly httpStatus: number } & (
  | { readonly detail: ValidationError[]; readonly problem?: never }
  | { readonly problem: Problem; readonly detail?: never }
);

/** An error in the tRPC API's form. Branch on `data`; `message` is a sentence for people. */
export interface TrpcErrorShape {
  readonly code: TRPC_ERROR_CODE_NUMBER;
  readonly message: string;
  readonly data: TrpcErrorData;
}

export type Query<Input, Output> = TRPCQueryProcedure<{
  meta: unknown;
  input: Input;
  output: Output;
  errorShape: TrpcErrorShape;
}>;

export type Mutation<Input, Output> = TRPCMutationProcedure<{
  meta: unknown;
  input: Input;
  output: Output;
  errorShape: TrpcErrorShape;
}>;
