import { PROBLEMS, type Scope } from '@insurance-verification/schema';
import { initTRPC, type TRPCMutationProcedure, type TRPCQueryProcedure } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type * as z from 'zod';
import type { Context } from './context/context.ts';
import { problemBody, toPublicError, toTrpcError, ValidationFailedError } from './problem/problem.ts';
import { callProcedure, type DeclaredProcedure, type Procedure } from './procedure.ts';

/** What tRPC keeps of a procedure: where trpc-to-openapi looks for the route, and the whole of it. */
export interface TrpcMeta extends OpenApiMeta {
  readonly procedure: Procedure;
}

const t = initTRPC
  .context<Context>()
  .meta<TrpcMeta>()
  .create({
    errorFormatter: ({ shape, error, ctx }) => {
      const err = toPublicError(error);
      return {
        code: shape.code,
        message: err.message,
        data:
          err instanceof ValidationFailedError
            ? { code: shape.data.code, httpStatus: 422, detail: [...err.detail] }
            : {
                code: shape.data.code,
                httpStatus: PROBLEMS[err.code].status,
                problem: problemBody(err, ctx?.call.trace),
              },
      };
    },
  });

/** Declares a procedure that reads: a GET through both doors. */
export function query<
  const Scopes extends readonly Scope[],
  Output extends z.ZodType,
  Input extends z.ZodObject | undefined = undefined,
>(declared: DeclaredProcedure<Scopes, Input, Output>) {
  return unread(declared).query(resolverOf(declared)) as unknown as TRPCQueryProcedure<
    Signature<Input, Output>
  >;
}

/** Declares a procedure that changes something: a POST through both doors. */
export function mutation<
  const Scopes extends readonly Scope[],
  Output extends z.ZodType,
  Input extends z.ZodObject | undefined = undefined,
>(declared: DeclaredProcedure<Scopes, Input, Output>) {
  return unread(declared).mutation(resolverOf(declared)) as unknown as TRPCMutationProcedure<
    Signature<Input, Output>
  >;
}

// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface would have to be exported: the type of each procedure names it
type Signature<Input extends z.ZodObject | undefined, Output extends z.ZodType> = {
  meta: TrpcMeta;
  input: Input extends z.ZodObject ? z.input<Input> : void;
  output: z.output<Output>;
  errorShape: typeof t._config.$types.errorShape;
};

/** Given an input, tRPC would read it before the resolver runs; ours is read and checked when the caller is known. */
function unread(procedure: Procedure) {
  return t.procedure.meta({ openapi: procedure.meta.openapi, procedure }).use(({ next, getRawInput, type }) =>
    // A query without an input asks with an empty one, as a GET without a query string does.
    next({ ctx: { readInput: type === 'query' ? async () => (await getRawInput()) ?? {} : getRawInput } }),
  );
}

function resolverOf(procedure: Procedure) {
  return async ({ ctx }: { ctx: Context & { readInput: () => Promise<unknown> } }) => {
    try {
      return await callProcedure(procedure, ctx, ctx.readInput);
    } catch (err) {
      throw toTrpcError(toPublicError(err));
    }
  };
}

export const router = t.router;
