import { type OperationName, OPERATIONS, toValidationErrors } from '@insurance-verification/schema';
import type { LiveKey } from '@insurance-verification/store';
import type * as z from 'zod';
import { addressClassOf } from '../network/address-class.ts';
import { admit } from './admit.ts';
import type { Call } from './context/call.ts';
import type { Context } from './context/context.ts';
import type { Meta } from './context/meta.ts';
import { inputLocations } from './input-locations.ts';
import { ProblemError, ValidationFailedError } from './problem/problem.ts';
import { requireAddress } from './require-address.ts';
import { tellIgnoredMembers } from './tell-ignored-members.ts';

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
  Name extends OperationName,
  Input extends z.ZodObject | undefined,
  Output extends z.ZodType,
> extends Procedure {
  readonly meta: Meta<Name> & { readonly answers: Readonly<Record<string, z.output<Output>>> };
  readonly input?: Input;
  readonly output: Output;
  handler(call: {
    ctx: HandlerContext<(typeof OPERATIONS)[Name]['scopes'] extends readonly [] ? LiveKey | null : LiveKey>;
    input: z.output<Input>;
  }): Promise<z.output<Output>>;
}

interface HandlerContext<Caller> extends Context {
  /** Whose key or session the call carries; null only where no scope is asked and no valid key came. */
  readonly caller: Caller;
}

/**
 * One call, through whichever door. The key comes first: what a stranger sends is not worth reading, and a refusal is
 * told before the body has come, if it ever does.
 * @throws {ProblemError} `address_not_allowed`, as {@link admit} does, `rate_limited`, or the handler's.
 * @throws {ValidationFailedError} when the input does not conform.
 */
export async function callProcedure(
  procedure: Procedure,
  { app, call }: Context,
  readInput: () => Promise<unknown>,
): Promise<unknown> {
  const { meta } = procedure;
  const key = await call.caller();
  if (!key) await noteMissingKey({ app, call }, meta);
  else requireAddress(key, call);
  const caller = admit(key, meta, call.absent);
  // Of a caller the key as it was looked up: what is read of one is kept with it for as long as its look-up is reused.
  const counted = caller && key;
  const admission = app.limiter.admit(meta, call, counted);
  if (admission) await admission;
  const given = procedure.input && (await readInput());
  if (meta.tellsIgnoredMembers && caller?.mode === 'test') tellIgnoredMembers(call, procedure, given);
  const input = procedure.input && conforming(procedure.input, given, meta);
  requireStrangersSize(call);
  const answer = await procedure.handler({ ctx: { app, call, caller }, input });
  app.limiter.settle(meta, counted, answer);
  return answer;
}

/** Counts what was no key. A right one is never refused for the wrong ones that its address sent before it. */
async function noteMissingKey({ app, call }: Context, { operation }: Meta): Promise<void> {
  const { scopes } = OPERATIONS[operation];
  if (scopes.length === 0 && !call.namesKey) return;
  const reason = call.namesKey ? 'wrong' : 'missing';
  app.metrics.refusedKeys.inc({ address_class: addressClassOf(call.address), reason });
  if (scopes.length > 0 && reason === 'wrong') await app.limiter.countWrongKey(call);
}

/** A batch reads its body once, for the first of its calls, which may be one that allows more. */
function requireStrangersSize({ strangerBytesMax, bodyByteCount }: Call): void {
  if (strangerBytesMax !== undefined && bodyByteCount > strangerBytesMax)
    throw new ProblemError('payload_too_large', { headers: { connection: 'close' } });
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
