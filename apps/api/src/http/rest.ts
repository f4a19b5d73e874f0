import { createHash } from 'node:crypto';
import { integerFromQuery } from '@insurance-verification/schema';
import type { Operation } from '@insurance-verification/schema/contract';
import Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { ParameterizedContext } from 'koa';
import { forEachOpenApiProcedure } from 'trpc-to-openapi/procedures';
import * as z from 'zod';
import { allowBody } from '../body/body-memory.ts';
import { bodyMissing, notAnObject, readJsonBody } from '../body/read-body.ts';
import { openRows } from '../body/read-rows.ts';
import { speakForSession } from '../console/session/console-cookie.ts';
import type { CallState } from '../procedure/context/app.ts';
import { outlineOf } from '../procedure/outline.ts';
import { ProblemError, ValidationFailedError } from '../procedure/problem.ts';
import { callPages, mayBeLeftOut, NO_INPUT, type Procedure } from '../procedure/procedure.ts';
import type { TrpcMeta } from '../procedure/trpc.ts';
import { extraForbidden, IGNORED_COUNT_MAX, pathParameters } from '../procedure/unknown-members.ts';
import type { ApiRouter } from '../router.ts';
import { answerLines } from './answer-lines.ts';
import { hasAnswer } from './has-answer.ts';

type RestContext = ParameterizedContext<CallState> & { params: Record<string, string> };

/**
 * The REST transport: a route for each procedure, exactly at its path. `answerErrors` answers what it throws.
 * trpc-to-openapi only lists the procedures; its own handlers would coerce the shared schemas and send their own error
 * body.
 */
export function createRestRouter(
  api: ApiRouter,
  hasConsole: boolean,
): Pick<Router<CallState>, 'match' | 'routes'> {
  const rest = new Router<CallState>({ strict: true, sensitive: true });
  forEachOpenApiProcedure<TrpcMeta>(api._def.procedures, ({ meta: { procedure } }) => {
    const { name, method, path, takesRows } = procedure.operation;
    const readInput = takesRows ? rowsReader(procedure.operation) : inputReader(procedure.operation);
    const answer = async (koa: RestContext) => {
      koa.state.operation = name;
      await answerCall(koa, procedure, () => readInput(koa));
    };
    rest.register(koaPaths(path), [method.toLowerCase()], answer);
    if (takesRows && hasConsole)
      rest.register(`/console${path}`, ['post'], async (koa) => {
        await speakForSession(koa);
        await answer(koa);
      });
  });
  return literalFirst(rest);
}

async function answerCall(koa: RestContext, procedure: Procedure, readInput: () => Promise<unknown>) {
  const { answersLines, isTagged, status = 200 } = procedure.operation;
  const [answer, pageAt] = await callPages(procedure, koa.state.context, readInput);
  koa.status = status;
  if (answersLines) return answerLines(koa, answer, pageAt);
  koa.type = 'application/json';
  const text = JSON.stringify(answer);
  koa.body = text;
  if (!isTagged) return;
  // The client may keep it and asks each time; no other cache may.
  koa.set('cache-control', 'private, no-cache');
  koa.etag = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  if (hasAnswer(koa)) koa.status = 304;
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
 * refuses those. A member at another place of the input is refused here.
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

/** Rows are the body, and stay unread until the handler stores them; the rest of the input is the query. */
function rowsReader({ input: schema = NO_INPUT }: Operation): InputReader {
  const { rows, ...query } = schema.shape;
  const outline = outlineOf(rows);
  return async (koa) => {
    const given = readQuery(koa, z.object(query), []);
    refuseExtras(
      'query',
      Object.keys(given).filter((name) => !Object.hasOwn(query, name)),
    );
    koa.state.context.call.sentRows = openRows(koa.req, () =>
      outline.kind === 'list' ? outline.element : outline,
    );
    return { ...given, rows: [] };
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

/** Asks once for all concurrent callers and those soon after. A failure counts as an answer. */
export function shareAnswer<T>(reuseMs: number, ask: () => Promise<T>): () => Promise<T> {
  let shared: { readonly answer: Promise<T>; goodUntil: number } | null = null;
  return () => {
    if (shared && performance.now() < shared.goodUntil) return shared.answer;
    const mine = { answer: ask(), goodUntil: Number.POSITIVE_INFINITY };
    shared = mine;
    const end = () => void (mine.goodUntil = performance.now() + reuseMs);
    mine.answer.then(end, end);
    return mine.answer;
  };
}

/**
 * Gives literal paths precedence over parameters, whatever the method and the order of the routes: `GET
 * /held-outputs/dismiss` is a method not allowed, not a held output of that name. A path with parameters is compared with
 * those that begin as it does, not with all of them, which took a call 6 µs. Call it once all routes are registered, each with
 * one handler.
 */
function literalFirst<State>(router: Router<State>): Pick<Router<State>, 'match' | 'routes'> {
  const literals = Map.groupBy(
    router.stack.filter(({ paramNames }) => paramNames.length === 0),
    ({ path }) => String(path),
  );
  const templated = router.stack.filter(({ paramNames }) => paramNames.length > 0);
  const branches = new Map(
    [...Map.groupBy(templated, ({ path }) => beginningOf(String(path)))].map(([beginning, stack]) => {
      const branch = Object.assign(new Router<State>(router.opts), { stack });
      return [beginning, { match: branch.match.bind(branch), handle: branch.routes() }];
    }),
  );
  return {
    match: (path, method) => {
      const layers = literals.get(path);
      if (!layers) return branches.get(beginningOf(path))?.match(path, method) ?? NO_MATCH;
      const pathAndMethod = layers.filter(({ methods }) => methods.includes(method));
      return { path: layers, pathAndMethod, route: pathAndMethod.length > 0 };
    },
    routes: () => (koa, next) => {
      const layers = literals.get(koa.path);
      if (!layers) return branches.get(beginningOf(koa.path))?.handle(koa, next) ?? next();
      const [handle] = layers.find(({ methods }) => methods.includes(koa.method))?.stack ?? [];
      // Such a path has no parameters for the router to add.
      return handle ? handle(koa as RouterContext<State>, next) : next();
    },
  };
}

const NO_MATCH = { path: [], pathAndMethod: [], route: false };

/** The first segment of a path. */
const beginningOf = (path: string): string => path.split('/', 2)[1] ?? '';
