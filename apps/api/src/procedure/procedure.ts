import {
  type OperationFact,
  type OperationName,
  OPERATIONS,
  toValidationErrors,
} from '@insurance-verification/schema';
import { type LiveKey, type Store, withTestAccounts } from '@insurance-verification/store';
import * as z from 'zod';
import { addressClassOf } from '../network/address-class.ts';
import { admit } from './admit.ts';
import type { Call } from './context/call/call.ts';
import type { Context } from './context/context.ts';
import type { Meta } from './context/meta.ts';
import { inputLocations } from './input-locations.ts';
import { ProblemError, ValidationFailedError } from './problem/problem.ts';
import { requireAddress } from './require-address.ts';
import { reportIgnoredMembers, unknownMemberFaults } from './unknown-members.ts';

/** One operation, declared once as data. Both transports and the OpenAPI document are made from it. */
export interface Procedure {
  readonly meta: Meta;
  /** Absent when the operation takes no input: then every member is refused. */
  readonly input?: z.ZodObject | undefined;
  /**
   * Enforced by types and tests, not on every call: answers are made from stored, already validated models, and a payer
   * that the configuration has dropped must still read.
   */
  readonly output: z.ZodType;
  handler(call: { ctx: HandlerContext<LiveKey | null>; input: unknown }): Promise<unknown>;
}

/** A procedure as its file declares it: the handler knows its input's type, and whether there is always a caller. */
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

/** The input of an operation that takes none. */
export const NO_INPUT = z.object({});

interface HandlerContext<Caller> extends Context {
  /** The key or session that the call carries; null only where no scope is required and no valid key came. */
  readonly caller: Caller;
}

/**
 * Runs one call, over either transport. The key comes first: a stranger's input is not worth reading, and a refusal is
 * sent before the body has come, if it ever does.
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
  const admitted = admit(key, meta, call);
  // Counts by the key as it was looked up: what is cached for that object lives as long as its look-up is reused.
  const counted = admitted && key;
  await app.limiter.admit(meta, call, counted);
  const reaching = admitted && (await withTestAccounts(app.store, admitted));
  const schema = procedure.input ?? NO_INPUT;
  const given = await readInput();
  if (meta.reportsIgnoredMembers && reaching?.mode === 'test') reportIgnoredMembers(call, schema, given);
  const input = conforming(schema, given, meta);
  requireStrangersSize(call);
  const caller =
    reaching && asLooking(reaching, { vault: app.store.vault, operation: meta.operation, input });
  const answer = await procedure.handler({ ctx: { app, call, caller }, input });
  app.limiter.settle(meta, counted, answer);
  for (const change of meta.changes ?? [])
    app.hints.publish(change, caller?.acrossAccounts === false ? caller.accountId : undefined);
  return answer;
}

/** Counts a missing or wrong key. A right one is never refused for wrong ones that its address sent before it. */
async function noteMissingKey({ app, call }: Context, { operation }: Meta): Promise<void> {
  const { scopes } = OPERATIONS[operation];
  if (scopes.length === 0 && !call.namesKey) return;
  const reason = call.namesKey ? 'wrong' : 'missing';
  app.metrics.refusedKeys.inc({ address_class: addressClassOf(call.address), reason });
  if (scopes.length > 0 && reason === 'wrong') await app.limiter.countWrongKey(call);
}

/** A batch reads its body once, for its first call, which may allow more. */
function requireStrangersSize({ strangerBytesMax, bodyByteCount }: Call): void {
  if (strangerBytesMax !== undefined && bodyByteCount > strangerBytesMax)
    throw new ProblemError('payload_too_large', { headers: { connection: 'close' } });
}

/** Whether a call may omit the input, or send null for it: no field is required. */
export function mayBeLeftOut(input: z.ZodObject): boolean {
  return input.safeParse({}).success;
}

/** Synchronous: no model does I/O, and an awaited parse costs more than twice as much. */
function conforming(schema: z.ZodObject, given: unknown, meta: Meta): unknown {
  const raw = (given === undefined || given === null) && mayBeLeftOut(schema) ? {} : given;
  const locOf = inputLocations(meta);
  const unknown = unknownMemberFaults(schema, raw, locOf);
  const { data, error } = schema.safeParse(raw);
  if (error || unknown.length > 0)
    throw new ValidationFailedError([...toValidationErrors(error?.issues ?? [], raw, locOf), ...unknown]);
  return data;
}

/**
 * A person's caller where it reads what their page may read again, with a digest of what is asked for: without the place
 * in its list, but with what its line says of them, so that another address or emergency access begins another look.
 */
function asLooking(
  caller: LiveKey,
  asked: {
    readonly vault: Pick<Store['vault'], 'index'>;
    readonly operation: OperationName;
    readonly input: unknown;
  },
): LiveKey {
  const { method, onlyReads, recordsEachCall }: OperationFact = OPERATIONS[asked.operation];
  if (!caller.session || recordsEachCall || (method !== 'GET' && !onlyReads)) return caller;
  const { cursor: _, limit: __, order: ___, ...filter } = (asked.input ?? {}) as Record<string, unknown>;
  const text = JSON.stringify([caller.accountId, caller.by, filter]);
  return { ...caller, look: asked.vault.index('look.asked', text) };
}
