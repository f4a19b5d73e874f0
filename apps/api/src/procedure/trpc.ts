import { type OperationName, OPERATIONS, PROBLEMS } from '@insurance-verification/schema';
import { initTRPC, type TRPCMutationProcedure, type TRPCQueryProcedure } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type * as z from 'zod';
import type { Context } from './context/context.ts';
import type { Change, Meta } from './context/meta.ts';
import { problemBody, toPublicError, toTrpcError, ValidationFailedError } from './problem/problem.ts';
import { callProcedure, type DeclaredProcedure, type Procedure } from './procedure.ts';

/** What tRPC stores with a procedure: the route, where trpc-to-openapi looks for it, and the procedure itself. */
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

/** Declares a procedure that reads: a GET over both transports. */
export function query<
  Name extends OperationBy<'GET'>,
  Output extends z.ZodType,
  Input extends z.ZodObject | undefined = undefined,
>(declared: DeclaredProcedure<Name, Input, Output>) {
  return unread(declared).query(resolverOf(declared)) as unknown as Named<Name> &
    TRPCQueryProcedure<Signature<Input, Output>>;
}

/** Declares a procedure that changes something, and says what: a POST over both transports. */
export function mutation<
  Name extends OperationBy<'POST'>,
  Output extends z.ZodType,
  Input extends z.ZodObject | undefined = undefined,
>(
  declared: DeclaredProcedure<Name, Input, Output> & {
    readonly meta: { readonly changes: readonly Change[] };
  },
) {
  return unread(declared).mutation(resolverOf(declared)) as unknown as Named<Name> &
    TRPCMutationProcedure<Signature<Input, Output>>;
}

type OperationBy<Method> = {
  [Name in OperationName]: (typeof OPERATIONS)[Name]['method'] extends Method ? Name : never;
}[OperationName];

/** A procedure that names its operation. */
// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface would have to be exported: the type of each procedure names it
type Named<Name extends OperationName> = {
  readonly _def: { readonly meta: { readonly procedure: { readonly meta: Meta<Name> } } };
};

/** A procedure for every operation, grouped by name prefix: the router's shape. */
export type ProcedureOfEach<Name extends OperationName = OperationName> = {
  readonly [Group in Name extends `${infer One}.${string}` ? One : never]: {
    readonly [Own in Name extends `${Group}.${infer One}` ? One : never]: Named<`${Group}.${Own}` & Name>;
  };
};

/** Without required members an input may be left out. */
type Given<Input> = Partial<Input> extends Input ? Input | void : Input;

// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface would have to be exported: the type of each procedure names it
type Signature<Input extends z.ZodObject | undefined, Output extends z.ZodType> = {
  meta: TrpcMeta;
  input: Input extends z.ZodObject ? Given<z.input<Input>> : void;
  output: z.output<Output>;
  errorShape: typeof t._config.$types.errorShape;
};

/** Declares no input to tRPC, which would read it before the resolver runs: ours is read once the caller is known. */
function unread(procedure: Procedure) {
  const { method, path } = OPERATIONS[procedure.meta.operation];
  const openapi = { ...procedure.meta.openapi, method, path } as const;
  return t.procedure.meta({ openapi, procedure }).use(({ next, getRawInput, type }) =>
    // A query without input counts as an empty one, like a GET without a query string.
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
