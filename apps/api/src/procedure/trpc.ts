import { PROBLEMS } from '@insurance-verification/schema';
import type { Operation, Operations } from '@insurance-verification/schema/contract';
import { initTRPC, type TRPCMutationProcedure, type TRPCQueryProcedure } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type * as z from 'zod';
import type { Context } from './context/app.ts';
import { problemBody, toPublicError, toTrpcError, ValidationFailedError } from './problem.ts';
import { callProcedure, type Handlers, type Procedure } from './procedure.ts';

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

/** The handlers of every operation, by resource. It does not compile while one is missing. */
export type AllHandlers = { readonly [Resource in keyof Operations]: Handlers<Resource> };

/** Makes the tRPC router of the contract's operations: a procedure for each, under its name. */
export function implement(operations: Operations, handlers: AllHandlers) {
  const resources = Object.entries<Readonly<Record<string, Operation>>>(operations);
  const record = Object.fromEntries(
    resources.map(([resource, own]) => [
      resource,
      Object.fromEntries(
        Object.entries(own).map(([name, operation]) => {
          const { [name]: handler } = handlers[resource as keyof Operations] as unknown as Readonly<
            Record<string, Procedure['handler']>
          >;
          return [name, procedureOf({ operation, handler: handler as Procedure['handler'] })];
        }),
      ),
    ]),
  );
  return t.router(record as unknown as Procedures);
}

type Procedures = {
  [Resource in keyof Operations]: {
    [Name in keyof Operations[Resource]]: Operations[Resource][Name] extends Operation
      ? TrpcProcedure<Operations[Resource][Name]>
      : never;
  };
};

type TrpcProcedure<Own extends Operation> = Own['method'] extends 'GET'
  ? TRPCQueryProcedure<Signature<Own>>
  : TRPCMutationProcedure<Signature<Own>>;

// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface would have to be exported: the type of each procedure names it
type Signature<Own extends Operation> = {
  meta: TrpcMeta;
  input: Own['input'] extends z.ZodObject ? Given<z.input<Own['input']>> : void;
  output: z.output<Own['output']>;
  errorShape: typeof t._config.$types.errorShape;
};

/** Without required members an input may be left out. */
type Given<Input> = Partial<Input> extends Input ? Input | void : Input;

/**
 * A GET is a query and a POST a mutation. Declares no input to tRPC, which would read it before the resolver runs: ours
 * is read once the caller is known.
 */
function procedureOf(procedure: Procedure) {
  const { method, path, summary, description, tag } = procedure.operation;
  const openapi = { method, path, summary, description, tags: [tag] };
  const unread = t.procedure.meta({ openapi, procedure }).use(({ next, getRawInput, type }) =>
    // A query without input counts as an empty one, like a GET without a query string.
    next({ ctx: { readInput: type === 'query' ? async () => (await getRawInput()) ?? {} : getRawInput } }),
  );
  const resolve = async ({ ctx }: { ctx: Context & { readInput: () => Promise<unknown> } }) => {
    try {
      return await callProcedure(procedure, ctx, ctx.readInput);
    } catch (err) {
      throw toTrpcError(toPublicError(err));
    }
  };
  return method === 'GET' ? unread.query(resolve) : unread.mutation(resolve);
}
