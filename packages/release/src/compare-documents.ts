import { type Flow, type Schema, schemaComparer } from './compare-schemas.ts';
import type { Breach, Rule } from './rules.ts';

/** An OpenAPI 3.1 document, of the members that are compared. */
export interface Document {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks?: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, Answer>>;
    readonly headers?: Readonly<Record<string, Header>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}
type PathItem = Readonly<Record<string, Operation>>;

interface Ref {
  readonly $ref: string;
}
interface Header {
  readonly schema: Schema;
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}
interface Parameter extends Header {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
}
interface Answer extends Content {
  readonly headers?: Readonly<Record<string, Header | Ref>>;
}
interface Operation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly (Parameter | Ref)[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses?: Readonly<Record<string, Answer | Ref>>;
}

/** Every place in which a program that was written for the document before breaks with the one of now. */
export function compareDocuments(before: Document, now: Document): Breach[] {
  const breaches: Breach[] = [];
  const report = (breach: Breach) => void breaches.push(breach);
  const compareSchemas = schemaComparer(inDocument<Schema>(before), inDocument<Schema>(now), report);

  for (const [route, was, is] of operations(before.paths, now.paths))
    if (is) compareOperation(route, was, is);
    else report({ rule: 'operation-removed', path: route, what: was.operationId });
  for (const [, was, is] of operations(before.webhooks, now.webhooks))
    if (is) compareWebhook(`webhook ${was.operationId}`, was, is);
    else
      report({ rule: 'webhook-removed', path: `webhook ${was.operationId}`, what: 'it is no longer sent' });
  for (const name of Object.keys(before.components.schemas))
    if (!now.components.schemas[name])
      report({ rule: 'component-removed', path: name, what: 'the schema is gone or renamed' });
  return breaches;

  function compareOperation(route: string, was: Operation, is: Operation): void {
    const breach = (rule: Rule, what: string) => report({ rule, path: route, what });
    if (was.operationId !== is.operationId)
      breach('operation-renamed', `${was.operationId}, now ${is.operationId}`);
    const asked = JSON.stringify(is.security ?? []);
    if (asked !== '[]' && asked !== JSON.stringify(was.security ?? []))
      breach('security-added', `now ${asked}`);
    compareParameters(route, was, is, 'sent');
    compareBody(route, was, is, 'sent');
    for (const [status, answer] of Object.entries(was.responses ?? {})) {
      const same = is.responses?.[status];
      if (same) compareAnswer(`${route} ${status}`, found(before, answer), found(now, same));
      else breach('status-removed', status);
    }
    for (const status of Object.keys(is.responses ?? {}))
      if (/^[23]/.test(status) && !was.responses?.[status]) breach('status-added', status);
  }

  /** A webhook goes the other way: the service sends its parameters and its body. */
  function compareWebhook(path: string, was: Operation, is: Operation): void {
    compareParameters(path, was, is, 'returned');
    compareBody(path, was, is, 'returned');
  }

  function compareParameters(route: string, was: Operation, is: Operation, flow: Flow): void {
    const [had, has] = [parametersOf(before, was), parametersOf(now, is)];
    for (const [name, parameter] of had) {
      const same = has.get(name);
      const path = `${route} ${name}`;
      if (!same)
        report({
          rule: flow === 'sent' ? 'parameter-removed' : 'webhook-header-removed',
          path,
          what: 'it is gone',
        });
      else compareSchemas(parameter.schema, same.schema, { path, flow });
      if (same && flow === 'returned' && parameter.required && !same.required)
        report({ rule: 'answer-optional', path, what: 'always sent, now optional' });
    }
    for (const [name, { required = false }] of has)
      if (flow === 'sent' && required && !had.get(name)?.required)
        report({
          rule: 'parameter-required',
          path: `${route} ${name}`,
          what: had.has(name) ? 'optional, now required' : 'new, and required',
        });
  }

  function compareBody(route: string, was: Operation, is: Operation, flow: Flow): void {
    if (flow === 'sent' && is.requestBody?.required && !was.requestBody?.required)
      report({
        rule: 'body-required',
        path: route,
        what: was.requestBody ? 'optional, now required' : 'new, and required',
      });
    if (was.requestBody) compareContent(`${route} body`, was.requestBody, is.requestBody ?? {}, flow);
  }

  function compareAnswer(path: string, was: Answer, is: Answer): void {
    compareContent(path, was, is, 'returned');
    for (const [name, header] of Object.entries(was.headers ?? {})) {
      const same = is.headers?.[name];
      const at = `${path} header ${name}`;
      if (!same) report({ rule: 'header-removed', path: at, what: 'it is no longer sent' });
      else
        compareSchemas(found<Header>(before, header).schema, found<Header>(now, same).schema, {
          path: at,
          flow: 'returned',
        });
    }
  }

  function compareContent(path: string, was: Content, is: Content, flow: Flow): void {
    for (const [type, { schema }] of Object.entries(was.content ?? {})) {
      const same = is.content?.[type];
      if (!same) report({ rule: 'media-type-removed', path, what: type });
      else if (schema && same.schema) compareSchemas(schema, same.schema, { path, flow });
    }
  }
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation of the document before, with the one of now that has its route. */
function operations(
  before: Document['paths'] = {},
  now: Document['paths'] = {},
): [string, Operation, Operation | undefined][] {
  return Object.entries(before).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const was = item[method];
      return was
        ? [
            [`${method.toUpperCase()} ${path}`, was, now[path]?.[method]] as [
              string,
              Operation,
              Operation | undefined,
            ],
          ]
        : [];
    }),
  );
}

/** Follows a JSON pointer such as `#/components/schemas/Payer`. */
const inDocument =
  <T>(document: Document) =>
  (ref: string): T | undefined =>
    ref
      .slice(2)
      .split('/')
      .reduce<unknown>(
        (value, name) =>
          (value as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
        document,
      ) as T | undefined;

function found<T>(document: Document, value: T | Ref): T {
  if (!(typeof value === 'object' && value !== null && '$ref' in value)) return value;
  const target = inDocument<T>(document)(value.$ref);
  if (target === undefined) throw new Error(`There is no ${value.$ref} in the document`);
  return target;
}

const parametersOf = (document: Document, { parameters = [] }: Operation) =>
  new Map(
    parameters.map((parameter) => {
      const one = found<Parameter>(document, parameter);
      return [`${one.in} ${one.name}`, one];
    }),
  );
