import { type Scope, toValidationErrors } from '@insurance-verification/schema';
import type { LiveKey } from '@insurance-verification/store';
import type * as z from 'zod';
import { admit } from './admit.ts';
import type { Context } from './context.ts';
import { inputLocations } from './input-locations.ts';
import type { Meta } from './meta.ts';
import { ValidationFailedError } from './problem.ts';

/** One operation, declared once as data. Both doors and the OpenAPI document are made from it. */
export interface Procedure {
  readonly meta: Meta;
  /** Absent where nothing is taken: then no body is read. */
  readonly input?: z.ZodObject | undefined;
  /**
   * Answers are made from stored, already validated models, and a payer that the configuration has dropped must still
   * read, so they are held to this by types and tests, not on every call.
   */
  readonly output: z.ZodType;
  handler(call: { ctx: HandlerContext<LiveKey | null>; input: unknown }): Promise<unknown>;
}

/** A procedure as its file declares it: the handler knows its input, and whether there is always a caller. */
export interface DeclaredProcedure<
  Scopes extends readonly Scope[],
  Input extends z.ZodObject | undefined,
  Output extends z.ZodType,
> extends Procedure {
  readonly meta: Meta<Scopes>;
  readonly input?: Input;
  readonly output: Output;
  handler(call: {
    ctx: HandlerContext<Scopes extends readonly [] ? LiveKey | null : LiveKey>;
    input: z.output<Input>;
  }): Promise<z.output<Output>>;
}

interface HandlerContext<Caller> extends Context {
  /** Whose key the call carries; null only where no scope is asked and no valid key came. */
  readonly caller: Caller;
}

/**
 * One call, through whichever door. The key comes first: what a stranger sends is not worth reading, and a refusal is
 * told before the body has come, if it ever does.
 * @throws {ProblemError} as {@link admit} does, or the handler's.
 * @throws {ValidationFailedError} when the input does not conform.
 */
export async function callProcedure(
  procedure: Procedure,
  { app, call }: Context,
  readInput: () => Promise<unknown>,
): Promise<unknown> {
  const caller = admit(await call.caller(), procedure.meta.scopes);
  const input = procedure.input && conforming(procedure.input, await readInput(), procedure.meta);
  return procedure.handler({ ctx: { app, call, caller }, input });
}

/** Whether a call may leave the input out, or give null for it: nothing of it is required. */
export function mayBeLeftOut(input: z.ZodObject): boolean {
  return input.safeParse({}).success;
}

/** Synchronously: no model asks anything of the world, and an awaited parse costs more than twice as much. */
function conforming(schema: z.ZodObject, given: unknown, meta: Meta): unknown {
  const raw = (given === undefined || given === null) && mayBeLeftOut(schema) ? {} : given;
  const { data, error } = schema.safeParse(raw);
  if (error) throw new ValidationFailedError(toValidationErrors(error.issues, raw, inputLocations(meta)));
  return data;
}
