import { type ProblemCode, PROBLEMS, problemOf, type Scope } from '@insurance-verification/schema';
import type { LiveKey } from '@insurance-verification/store';
import { initTRPC, TRPCError } from '@trpc/server';
import * as z from 'zod';
import type { Context } from './context.ts';
import { inputLocations } from './input-locations.ts';
import type { Meta } from './meta.ts';
import { ProblemError, toPublicError, toTrpcError, ValidationFailedError } from './problem.ts';

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    defaultMeta: { scopes: [] },
    errorFormatter: ({ shape, error, ctx }) => {
      const err = toPublicError(error);
      const problem = err instanceof ProblemError ? err.code : undefined;
      return {
        code: shape.code,
        message: err.message,
        data:
          err instanceof ValidationFailedError
            ? { httpStatus: 422, detail: [...err.detail] }
            : { httpStatus: PROBLEMS[err.code].status, problem: problemOf(err.code, traceOf(problem, ctx)) },
      };
    },
  });

function traceOf(code: ProblemCode | undefined, ctx: Context | undefined): string | undefined {
  return code !== undefined && PROBLEMS[code].status >= 500 ? ctx?.call.trace : undefined;
}

/**
 * A procedure that knows its caller. Every error leaves it as one of ours, so both doors tell the same. One middleware
 * does both, since tRPC copies its options and the context at each.
 */
function procedureFor<Caller extends LiveKey | null>(
  toCaller: (key: LiveKey | null, scopes: readonly Scope[]) => Caller,
) {
  return t.procedure.use(async ({ ctx, next, getRawInput, meta, type }) => {
    try {
      const caller = toCaller(await ctx.call.caller(), meta?.scopes ?? []);
      // A query without an input asks with an empty one, as a GET without a query string does.
      const inputOrEmpty = async () => (await getRawInput()) ?? {};
      const result = await next({ ctx: { caller }, ...(type === 'query' && { getRawInput: inputOrEmpty }) });
      if (result.ok) return result;
      throw result.error;
    } catch (thrown) {
      // Only a fault in the input needs the input. A refused key must be told before the body has come, if it ever does.
      const isInputFault = thrown instanceof TRPCError && thrown.cause instanceof z.ZodError;
      const err = toPublicError(thrown, isInputFault ? await getRawInput() : undefined, inputLocations(meta));
      ctx.call.failed(err);
      throw toTrpcError(err);
    }
  });
}

/** For an operation without `scopes`: `ctx.caller` is null for a caller without a valid key. */
export const openProcedure = procedureFor((key) => key);

/** For an operation with `scopes`: no handler runs, and no input is read, for a caller whose key lacks them. */
export const procedure = procedureFor(requireScope);

/** @throws {ProblemError} `unauthorized` without a key, `forbidden` without one of the scopes. */
export function requireScope(caller: LiveKey | null, scopes: readonly Scope[]): LiveKey {
  if (!caller) throw new ProblemError('unauthorized');
  if (!scopes.some((scope) => caller.scopes.includes(scope))) throw new ProblemError('forbidden');
  return caller;
}

/**
 * Declares what a procedure answers. Answers are made from stored, already validated models, and a payer that the
 * configuration has dropped must still read, so they are held to the schema by types and tests, not on every call.
 */
export function answers<Schema extends z.ZodType>(schema: Schema) {
  return Object.assign((value: unknown) => value as z.output<Schema>, { schema });
}

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;
