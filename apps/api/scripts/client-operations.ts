import * as models from '@insurance-verification/schema';
import type * as z from 'zod';
import { pathParameters } from '../src/procedure/input-locations.ts';
import type { Procedure } from '../src/procedure/procedure.ts';

const { createSchemas, defaultSchemas, OPERATIONS, PROBLEMS } = models;

const HEAD = `// Made from the service's router by \`npx -y pnpm@12 openapi\`; change it there.
import type * as models from '@insurance-verification/schema';
import type * as z from 'zod';
import type { Mutation, Query } from './procedure.ts';

/** What each operation takes and answers. */
export interface Operations<P extends models.PayerNames> {
`;

/** The source of the clients' types, with a line for every operation. */
export function clientOperations(procedures: readonly Procedure[]): string {
  const groups = Map.groupBy(procedures, ({ meta }) => meta.operation.split('.')[0]);
  const blocks = [...groups].map(([group, own]) => `  ${group}: {\n${own.map(lineOf).join('')}  };\n`);
  return `${HEAD}${blocks.join('')}}\n`;
}

function lineOf({ meta, input, output }: Procedure): string {
  const { operation, openapi, problems = [] } = meta;
  const { method, path, repeatable } = OPERATIONS[operation];
  const kind = method === 'GET' ? 'Query' : 'Mutation';
  const codes = problems.map((code) => `${PROBLEMS[code].status} \`${code}\``).join(', ');
  const texts = [openapi.description, codes && `${codes}.`, !repeatable && 'Not retried.'].filter(Boolean);
  const types = `${input ? inputOf(input, path) : 'void'}, ${outputOf(output)}`;
  return `    /** ${texts.join(' ')} */\n    ${operation.split('.')[1]}: ${kind}<${types}>;\n`;
}

/** The names in the path, and the type of the model that holds the rest. */
function inputOf({ shape }: z.ZodObject, path: string): string {
  const inPath = pathParameters(path);
  const rest = Object.fromEntries(Object.entries(shape).filter(([name]) => !inPath.includes(name)));
  const named = `{ ${inPath.map((name) => `${name}: string`).join('; ')} }`;
  if (Object.keys(rest).length === 0) return named;
  const type = `z.input<${valueOf(nameOf((model) => hasFields(model, rest)))}>`;
  return inPath.length === 0 ? type : `${named} & ${type}`;
}

function outputOf(output: z.ZodType): string {
  const name = nameOf((model) => model === output);
  return `models.${name}${dependsOnPayers(name) ? '<P>' : ''}`;
}

/** @throws {TypeError} where packages/schema exports no such model. */
function nameOf(holds: (model: unknown) => boolean): string {
  const [name] = Object.entries(models).find(([, model]) => holds(model)) ?? [];
  if (name === undefined)
    throw new TypeError('An operation takes or answers what packages/schema does not export.');
  return name;
}

/** Whether a model has exactly these fields: the same objects, not equal ones. */
function hasFields(model: unknown, fields: z.ZodObject['shape']): boolean {
  if (!(model instanceof Object && 'shape' in model)) return false;
  const own = Object.entries(model.shape as z.ZodObject['shape']);
  return own.length === Object.keys(fields).length && own.every(([name, field]) => fields[name] === field);
}

const valueOf = (name: string) =>
  dependsOnPayers(name) ? `models.Schemas<P>['${name}']` : `typeof models.${name}`;

const ofOthers: Readonly<Record<string, unknown>> = createSchemas({ payers: ['A', 'B', 'C', 'D'] });
const ofOurs: Readonly<Record<string, unknown>> = defaultSchemas;
const dependsOnPayers = (name: string) => ofOthers[name] !== ofOurs[name];
