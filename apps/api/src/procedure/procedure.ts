import { BATCH_LIST_ROWS_MAX, toValidationErrors } from '@insurance-verification/schema';
import type {
  Operation,
  OperationName,
  Operations,
  OPERATIONS,
} from '@insurance-verification/schema/contract';
import { type LiveKey, type Store, withTestAccounts } from '@insurance-verification/store';
import * as z from 'zod';
import { addressClassOf } from '../network/client-address.ts';
import { admit, requireAddress } from './admit.ts';
import type { Context } from './context/app.ts';
import type { Call } from './context/call.ts';
import { ProblemError, ValidationFailedError } from './problem.ts';
import { inputLocations, reportIgnoredMembers, unknownMemberFaults } from './unknown-members.ts';

/**
 * An operation of the contract with its handler. Answers are held to the output model by types and tests, not on every
 * call: they are made from stored, already validated models, and a payer that the configuration has dropped must still
 * read.
 */
export interface Procedure {
  readonly operation: Operation;
  handler(call: { ctx: HandlerContext<LiveKey | null>; input: unknown }): Promise<unknown>;
}

/** The handlers of a resource of the contract, one for each of its operations. */
export type Handlers<Resource extends keyof Operations> = {
  readonly [Name in keyof Operations[Resource]]: Operations[Resource][Name] extends Operation
    ? HandlerOf<Operations[Resource][Name]>
    : never;
};

/** The handler of one operation. Its input conforms; its caller is null only where no scope is required. */
export type Handler<Name extends OperationName> = HandlerOf<(typeof OPERATIONS)[Name]>;

type HandlerOf<Own extends Operation> = (call: {
  ctx: HandlerContext<Own['scopes'] extends readonly [] ? LiveKey | null : LiveKey>;
  input: Own['input'] extends z.ZodObject ? z.output<Own['input']> : unknown;
}) => Promise<z.output<Own['output']>>;

/** The input of an operation that takes none. */
export const NO_INPUT = z.object({});

interface HandlerContext<Caller> extends Context {
  /** The key or session that the call carries; null only where no scope is required and no valid key came. */
  readonly caller: Caller;
}

/**
 * Runs one call, over either transport. The key comes first: an anonymous sender's input is not worth reading, and a refusal is
 * sent before the body has come, if it ever does.
 * @throws {ProblemError} `address_not_allowed`, as {@link admit} does, `rate_limited`, or the handler's.
 * @throws {ValidationFailedError} when the input does not conform.
 */
export async function callProcedure(
  procedure: Procedure,
  { app, call }: Context,
  readInput: () => Promise<unknown>,
): Promise<unknown> {
  const [first] = await callPages(procedure, { app, call }, readInput);
  return first;
}

/** Items of a page of an answer in lines: pages of the usual size would be five times the statements. */
const LINES_PAGE_LIMIT = 100;

/** As {@link callProcedure}, of a list: also the pages after the first, each an answer of its own. */
export async function callPages(
  procedure: Procedure,
  { app, call }: Context,
  readInput: () => Promise<unknown>,
): Promise<readonly [answer: unknown, pageAt: (after: number) => Promise<unknown>]> {
  const { operation } = procedure;
  const { admitted, counted } = await admitCaller({ app, call }, operation);
  app.batchPace.noteCall(operation);
  const reaching = admitted && (await withTestAccounts(app.store, admitted));
  const schema = operation.input ?? NO_INPUT;
  const given = await readInput();
  if (operation.reportsIgnoredMembers && reaching?.mode === 'test') reportIgnoredMembers(call, schema, given);
  const input = conforming(schema, given, operation);
  requireAnonymousSize(call);
  const caller = reaching && asLooking(reaching, { vault: app.store.vault, operation, input });
  const ctx = { app, call, caller };
  const answer = await procedure.handler({ ctx, input });
  app.limiter.settle(operation, counted, answer);
  for (const change of operation.changes)
    app.hints.publish(change, caller?.acrossAccounts === false ? caller.accountId : undefined);
  const next = { ...(input as object), limit: LINES_PAGE_LIMIT };
  return [answer, (after) => procedure.handler({ ctx, input: { ...next, after } })];
}

/**
 * Decides whether a call's key may call an operation, and counts the call.
 * @returns the caller, null only where no scope is required, and the key that its calls are counted by.
 * @throws {ProblemError} `address_not_allowed`, as {@link admit} does, or `rate_limited`.
 */
export async function admitCaller({ app, call }: Context, operation: Operation) {
  const key = await call.caller();
  if (!key) await noteMissingKey({ app, call }, operation);
  else requireAddress(key, call);
  const admitted = admit(key, operation, call);
  // Counts by the key as it was looked up: what is cached for that object lives as long as its look-up is reused.
  const counted = admitted && key;
  await app.limiter.admit(operation, call, counted);
  return { admitted, counted };
}

/** Counts a missing or wrong key. A right one is never refused for wrong ones that its address sent before it. */
async function noteMissingKey({ app, call }: Context, { scopes }: Operation): Promise<void> {
  if (scopes.length === 0 && !call.namesKey) return;
  const reason = call.namesKey ? 'wrong' : 'missing';
  app.metrics.refusedKeys.inc({ address_class: addressClassOf(call.address), reason });
  if (scopes.length > 0 && reason === 'wrong') await app.limiter.countWrongKey(call);
}

/** A batch reads its body once, for its first call, which may allow more. */
function requireAnonymousSize({ anonymousBytesMax, bodyByteCount }: Call): void {
  if (anonymousBytesMax !== undefined && bodyByteCount > anonymousBytesMax)
    throw new ProblemError('payload_too_large', { headers: { connection: 'close' } });
}

/** Whether a call may omit the input, or send null for it: no field is required. */
export function mayBeLeftOut(input: z.ZodObject): boolean {
  return input.safeParse({}).success;
}

/** Synchronous: no model does I/O, and an awaited parse costs more than twice as much. */
function conforming(schema: z.ZodObject, given: unknown, operation: Operation): unknown {
  const raw = (given === undefined || given === null) && mayBeLeftOut(schema) ? {} : given;
  const locOf = inputLocations(operation);
  const unknown = unknownMemberFaults(schema, raw, locOf);
  const { data, error } = (operation.takesRows ? withAnyRows(schema) : schema).safeParse(raw);
  if (error || unknown.length > 0)
    throw new ValidationFailedError([...toValidationErrors(error?.issues ?? [], raw, locOf), ...unknown]);
  return data;
}

/** Rows are judged one by one by their handler: the fault of one is not the call's. */
const withAnyRows = (schema: z.ZodObject) =>
  schema.extend({ rows: z.array(z.unknown()).max(BATCH_LIST_ROWS_MAX) });

/**
 * A person's caller where it reads what their page may read again, with a digest of what is asked for: without the place
 * in its list, but with what its line says of them, so that another address or emergency access begins another look.
 */
function asLooking(
  caller: LiveKey,
  asked: {
    readonly vault: Pick<Store['vault'], 'index'>;
    readonly operation: Operation;
    readonly input: unknown;
  },
): LiveKey {
  const { method, onlyReads, recordsEachCall } = asked.operation;
  if (!caller.session || recordsEachCall || (method !== 'GET' && !onlyReads)) return caller;
  const { cursor: _, limit: __, order: ___, ...filter } = (asked.input ?? {}) as Record<string, unknown>;
  const text = JSON.stringify([caller.accountId, caller.by, filter]);
  return { ...caller, look: asked.vault.index('look.asked', text) };
}
