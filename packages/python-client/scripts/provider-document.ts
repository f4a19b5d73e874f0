import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BatchRowError, defaultSchemas, type ProblemCode, PROBLEMS } from '@insurance-verification/schema';
import { type Operation, type OperationName, OPERATIONS } from '@insurance-verification/schema/contract';
import * as z from 'zod';

/** The part of JSON Schema that the document uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface Body {
  readonly content: { readonly 'application/json'?: { readonly schema: JsonSchema } };
}

interface DocumentOperation {
  readonly operationId: OperationName;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body & { readonly required: boolean };
  readonly responses: Readonly<Partial<Record<'200' | '202', Body>>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly webhooks: object;
  readonly components: Components;
}

type Components = Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;

/** An operation of a provider. */
export interface ProviderOperation {
  readonly name: OperationName;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly repeatable: boolean;
  readonly takesIdempotencyKey: boolean;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: JsonSchema; readonly isRequired: boolean } | undefined;
  /** Of an operation whose body is rows, a line each. */
  readonly row: JsonSchema | undefined;
  /** Of an operation that answers lines, an item of it. */
  readonly answer: JsonSchema;
  readonly answersLines: boolean;
}

/** What a provider's document holds: the operations, their models, and the problems they can answer. */
export interface ProviderDocument {
  readonly operations: readonly ProviderOperation[];
  readonly models: Readonly<Record<string, JsonSchema>>;
  readonly problemCodes: readonly ProblemCode[];
}

/** The models of lines, which the document has as text. */
const LINES = [defaultSchemas.BatchRow, defaultSchemas.BatchResult, BatchRowError];

const LINE_OF: Partial<Record<OperationName, JsonSchema>> = {
  'batches.create': { $ref: '#/components/schemas/BatchRow' },
  'batches.results': { $ref: '#/components/schemas/BatchResult' },
  'batches.errors': { $ref: '#/components/schemas/BatchRowError' },
};

export const REFERENCE = /"#\/components\/(\w+)\/([\w.-]+)"/g;

/** As `/openapi.json?for=provider` has it, of the document that packages/client publishes. */
export function readProviderDocument(): ProviderDocument {
  const path = fileURLToPath(import.meta.resolve('@insurance-verification/client/openapi.json'));
  const { paths, webhooks, components: documented } = JSON.parse(readFileSync(path, 'utf8')) as Document;
  const components = {
    ...documented,
    schemas: { ...modelsOfLines(), ...documented['schemas'] },
  } as Components;
  const rows = Object.entries(paths)
    .flatMap(([route, methods]) => Object.values(methods).map((row) => ({ route, row })))
    .filter(({ row }) => OPERATIONS[row.operationId].audience.some((reader) => reader === 'provider'));

  const models: Record<string, JsonSchema> = {};
  const texts = [JSON.stringify([...rows, webhooks, LINE_OF])];
  const seen = new Set<string>();
  for (const text of texts)
    for (const [reference, kind = '', name = ''] of text.matchAll(REFERENCE)) {
      const component = components[kind]?.[name];
      if (component === undefined || seen.has(reference)) continue;
      seen.add(reference);
      texts.push(JSON.stringify(component));
      if (kind === 'schemas') models[name] = component;
    }
  const whole = texts.join('\n');
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  return {
    operations: rows.map(({ route, row }) => operationOf(route, row)),
    models,
    problemCodes: codes.filter((code) => whole.includes(`"code":"${code}"`)),
  };
}

function operationOf(
  path: string,
  { operationId: name, description, parameters = [], requestBody, responses }: DocumentOperation,
): ProviderOperation {
  const fact: Pick<
    Operation,
    'method' | 'repeatable' | 'takesIdempotencyKey' | 'takesRows' | 'answersLines'
  > = OPERATIONS[name];
  const sent = requestBody?.content['application/json'];
  const answer = fact.answersLines
    ? LINE_OF[name]
    : (responses['200'] ?? responses['202'])?.content['application/json']?.schema;
  if (!answer) throw new TypeError(`${name} answers no model that is known here.`);
  return {
    name,
    method: fact.method,
    path,
    repeatable: fact.repeatable,
    takesIdempotencyKey: fact.takesIdempotencyKey ?? false,
    description,
    parameters,
    body: sent && { schema: sent.schema, isRequired: requestBody?.required ?? false },
    row: fact.takesRows && LINE_OF[name],
    answer,
    answersLines: fact.answersLines ?? false,
  };
}

/** {@link LINES} and the models that they refer to, as the document would have them. */
function modelsOfLines(): Record<string, JsonSchema> {
  const models = z.toJSONSchema(z.union(LINES), { io: 'input' }).$defs ?? {};
  const text = JSON.stringify(models).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as Record<string, JsonSchema>;
}
