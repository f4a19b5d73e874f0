import { integerFromQuery, OPERATIONS } from '@insurance-verification/schema';
import Router from '@koa/router';
import type { ParameterizedContext } from 'koa';
import { forEachOpenApiProcedure } from 'trpc-to-openapi/procedures';
import * as z from 'zod';
import { allowBody } from '../../body/allow-body.ts';
import { bodyMissing, notAnObject, readJsonBody } from '../../body/read-json-body.ts';
import type { CallState } from '../../procedure/context/context.ts';
import { pathParameters } from '../../procedure/input-locations.ts';
import { outlineOf } from '../../procedure/outline.ts';
import { ProblemError } from '../../procedure/problem/problem.ts';
import { callProcedure, mayBeLeftOut, type Procedure } from '../../procedure/procedure.ts';
import type { TrpcMeta } from '../../procedure/trpc.ts';
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
  forEachOpenApiProcedure<TrpcMeta>(api._def.procedures, ({ path: operation, meta: { procedure } }) => {
    const { method, path } = OPERATIONS[procedure.meta.operation];
    const readInput = inputReader(procedure);
    rest.register(koaPaths(path), [method.toLowerCase()], async (koa) => {
      koa.state.operation = operation;
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

/** Assembles an operation's input from path, query and body. */
function inputReader({ meta, input: schema }: Procedure): InputReader {
  if (!schema) return async () => undefined;
  const { method, path } = OPERATIONS[meta.operation];
  const inPath = pathParameters(path);
  const names = Object.keys(schema.shape);
  if (method === 'GET') {
    const inQuery = names.filter((name) => !inPath.includes(name));
    return async (koa) => ({ ...readQuery(koa, schema, inQuery), ...pick(koa.params, inPath) });
  }
  const outline = outlineOf(schema);
  if (inPath.length === 0) return (koa) => readJsonBody(koa.req, allowBody(koa.state.context), () => outline);
  if (names.length === inPath.length) return async (koa) => pick(koa.params, inPath);
  const bodyMayBeAbsent = meta.body !== undefined && mayBeLeftOut(meta.body);
  return async (koa) => {
    const body = await readJsonBody(koa.req, allowBody(koa.state.context), () => outline);
    if (body === undefined || body === null) {
      if (bodyMayBeAbsent) return pick(koa.params, inPath);
      throw bodyMissing();
    }
    if (typeof body !== 'object' || Array.isArray(body)) throw notAnObject();
    return { ...pickOwn(body, names), ...pick(koa.params, inPath) };
  };
}

/** Query texts by name, the last one of a repeated name; integers as numbers, since the models never coerce. */
function readQuery(koa: RestContext, schema: z.ZodObject, names: readonly string[]): Record<string, unknown> {
  const query = new URLSearchParams(koa.querystring);
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = query.getAll(name).at(-1);
      if (text === undefined) return [];
      return [[name, isInteger(schema.shape[name]) ? integerFromQuery(text) : text]];
    }),
  );
}

function isInteger(field: z.core.$ZodType | undefined): boolean {
  const inner = field instanceof z.ZodDefault || field instanceof z.ZodOptional ? field.def.innerType : field;
  return inner instanceof z.ZodNumber;
}

function pick(values: Record<string, string>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? '']));
}

/** Picks own fields and never spreads: `__proto__` in a body is a key like any unknown one. */
function pickOwn(body: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

/** A method that no route at this address has. */
export function methodNotAllowed(allowed: readonly string[]): ProblemError {
  return new ProblemError('method_not_allowed', { headers: { allow: allowed.join(', ') } });
}
