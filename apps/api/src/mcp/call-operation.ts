import type { IncomingMessage, ServerResponse } from 'node:http';
import { PROBLEMS } from '@insurance-verification/schema';
import {
  type OperationName,
  OPERATIONS,
  type OperationsByName,
} from '@insurance-verification/schema/contract';
import type { AnyProcedure, AnyRouter } from '@trpc/server';
import type * as z from 'zod';
import { logCall, traceCall } from '../http/every-call.ts';
import type { App } from '../procedure/context/app.ts';
import { Call, type CallSource } from '../procedure/context/call.ts';
import { ProblemError, toPublicError } from '../procedure/problem.ts';
import { callProcedure } from '../procedure/procedure.ts';
import type { TrpcMeta } from '../procedure/trpc.ts';
import type { ApiRouter } from '../router.ts';
import { beginSpan } from '../telemetry/tracing.ts';

type InputOf<Name extends OperationName> = OperationsByName[Name]['input'] extends z.ZodObject
  ? z.input<OperationsByName[Name]['input']>
  : undefined;

/**
 * Calls an operation in this process with the key of an agent, as REST and tRPC do: its scopes, limits, audit, metrics,
 * trace and line in the log are the same.
 * @throws {ProblemError} as the operation does; any other error as `internal`.
 * @throws {ValidationFailedError} when the input does not conform.
 */
export type CallOperation = <Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
) => Promise<z.output<OperationsByName[Name]['output']>>;

interface Origin {
  /** The HTTP request that carries the key. */
  readonly req: CallSource;
  /** Its answer; null for a renewal, which has none. */
  readonly res: ServerResponse | null;
  /** The trace of the message; left out, each operation has its own. */
  readonly trace?: string;
}

/** Each operation is a call with its own line in the log: a message may hold several. */
export function operationCaller(app: App, router: ApiRouter, { req, res, trace }: Origin): CallOperation {
  const procedures: AnyRouter['_def']['procedures'] = router._def.procedures;
  return async (operation, input) => {
    const { procedure } = (procedures[operation] as AnyProcedure)._def.meta as TrpcMeta;
    const call = new Call(app, req, res, trace);
    const state = { operation, context: { app, call } };
    const span = beginSpan();
    let status = 200;
    try {
      return (await callProcedure(procedure, state.context, async () => input)) as never;
    } catch (err) {
      const refusal = toPublicError(err);
      call.failed(refusal);
      status = refusal instanceof ProblemError ? PROBLEMS[refusal.code].status : 422;
      throw refusal;
    } finally {
      const ended = { ...span(), status };
      logCall(app, state, ended);
      traceCall(app, state, { ...ended, method: OPERATIONS[operation].method, headers: req.headers });
    }
  };
}

/** What a renewal keeps of the call that claimed the lease: its key, and what shows the client's address. */
export function sourceOf({ headers, headersDistinct, socket }: IncomingMessage): CallSource {
  const { forwarded, 'x-forwarded-for': forwardedFor } = headersDistinct;
  return {
    headers: { 'x-key': headers['x-key'] },
    headersDistinct: { forwarded, 'x-forwarded-for': forwardedFor },
    socket: { remoteAddress: socket.remoteAddress },
  };
}
