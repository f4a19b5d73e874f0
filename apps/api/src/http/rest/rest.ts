import { integerFromQuery } from '@insurance-verification/schema';
import type { Operation } from '@insurance-verification/schema/contract';
import Router from '@koa/router';
import type { ParameterizedContext } from 'koa';
import { forEachOpenApiProcedure } from 'trpc-to-openapi/procedures';
import * as z from 'zod';
import { allowBody } from '../../body/allow-body.ts';
import { bodyMissing, notAnObject, readJsonBody } from '../../body/read-json-body.ts';
import type { CallState } from '../../procedure/context/context.ts';
import { pathParameters } from '../../procedure/input-locations.ts';
import { outlineOf } from '../../procedure/outline.ts';
import { ProblemError, ValidationFailedError } from '../../procedure/problem/problem.ts';
import { callProcedure, mayBeLeftOut, NO_INPUT } from '../../procedure/procedure.ts';
import type { TrpcMeta } from '../../procedure/trpc.ts';
import { extraForbidden, IGNORED_COUNT_MAX } from '../../procedure/unknown-members.ts';
import type { ApiRouter } from '../../router.ts';
import { literalFirst } from './literal-first.ts';

type RestContext = ParameterizedContext<CallState> & { params: Record<string, string> };

/**
 * The REST transport: a route for each procedure, exactly at its path. `answerErrors` answers what it throws.
 * trpc-to-openapi only lists the procedures; its own handlers would coerce the shared schemas and send their own error
 * body.
 */
export function createRestRouter(api: ApiRouter): Pick<Router<CallState>, 'match' | 'routes'> {
  const rest = new Router<CallState>({ strict: true, sensitive: true });
  forEachOpenApiProcedure<TrpcMeta>(api._def.procedures, ({ meta: { procedure } }) => {
    const { name, method, path } = procedure.operation;
    const readInput = inputReader(procedure.operation);
    rest.register(koaPaths(path), [method.toLowerCase()], async (koa) => {
      koa.state.operation = name;
      const answer = await callProcedure(procedure, koa.state.context, () => readInput(koa));
      koa.type = 'application/json';
      koa.body = JSON.stringify(answer);
    });
  });
  return literalFirst(rest);
}

/** Posted to by other people's programs: with a trailing slash and without, as their authors may have read them. */
const WITH_OR_WITHOUT_SLASH = ['/requests/', '/verification-output'];

/** `/a/{b}` as `/a/:b`. */
function koaPaths(path: string): string[] {
  if (WITH_OR_WITHOUT_SLASH.includes(path)) return [path.replace(/\/$/, ''), path.replace(/\/?$/, '/')];
  return [path.replaceAll(/\{(\w+)\}/g, ':$1')];
}

type InputReader = (koa: RestContext) => Promise<unknown>;

/**
 * Assembles an operation's input from path, query and body, with the members that it does not know: the procedure
 * refuses those. What would hide behind another place of the input is refused here.
 */
function inputReader({ method, path, body: rest, input: schema = NO_INPUT }: Operation): InputReader {
  const inPath = pathParameters(path);
  if (method === 'GET')
    return async (koa) => ({ ...readQuery(koa, schema, inPath), ...pick(koa.params, inPath) });
  const outline = outlineOf(schema);
  const isOpen = outline.kind === 'object' && outline.isOpen;
  const takesBody = Object.keys(schema.shape).length > inPath.length;
  const bodyMayBeAbsent = !takesBody || (rest !== undefined && mayBeLeftOut(rest));
  return async (koa) => {
    if (!isOpen) refuseExtras('query', new URLSearchParams(koa.querystring).keys());
    const body = await readJsonBody(koa.req, allowBody(koa.state.context), () => outline);
    if (inPath.length === 0) return body;
    if (body === undefined || body === null) {
      if (bodyMayBeAbsent) return pick(koa.params, inPath);
      throw bodyMissing();
    }
    if (typeof body !== 'object' || Array.isArray(body)) throw notAnObject();
    refuseExtras(
      'body',
      inPath.filter((name) => Object.hasOwn(body, name)),
    );
    return { ...body, ...pick(koa.params, inPath) };
  };
}

/** @throws {ValidationFailedError} for the first names, where there are any. */
function refuseExtras(place: 'query' | 'body', names: Iterable<string>): void {
  const extras = [...new Set(names)].slice(0, IGNORED_COUNT_MAX);
  if (extras.length > 0) throw new ValidationFailedError(extras.map((name) => extraForbidden([place, name])));
}

/** Query texts by name, the last one of a repeated name; integers as numbers, since the models never coerce. */
function readQuery(
  koa: RestContext,
  schema: z.ZodObject,
  inPath: readonly string[],
): Record<string, unknown> {
  const texts = new Map(new URLSearchParams(koa.querystring));
  refuseExtras(
    'query',
    inPath.filter((name) => texts.has(name)),
  );
  return Object.fromEntries(
    [...texts].map(([name, text]) => [name, isInteger(schema.shape[name]) ? integerFromQuery(text) : text]),
  );
}

function isInteger(field: z.core.$ZodType | undefined): boolean {
  const inner = field instanceof z.ZodDefault || field instanceof z.ZodOptional ? field.def.innerType : field;
  return inner instanceof z.ZodNumber;
}

function pick(values: Record<string, string>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? '']));
}

/** A method that no route at this address has. */
export function methodNotAllowed(allowed: readonly string[]): ProblemError {
  return new ProblemError('method_not_allowed', { headers: { allow: allowed.join(', ') } });
}
