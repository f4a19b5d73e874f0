import * as models from '@insurance-verification/schema';
import type { Contract, Operation } from '@insurance-verification/schema/contract';
import type * as z from 'zod';
import { pathParameters } from '../src/procedure/unknown-members.ts';

const { createSchemas, defaultSchemas, PROBLEMS } = models;

const HEAD = `// Made from the service's router by \`npx -y pnpm@12 openapi\`; change it there.
import type * as models from '@insurance-verification/schema';
import type * as z from 'zod';
import type { Mutation, Query, Route } from './procedure.ts';

/** What each operation takes and answers. */
export interface Operations<P extends models.PayerNames> {
`;

/** The source of the clients' types, with a line for every operation. */
export function clientOperations(operations: readonly Operation[], schemas: Contract['schemas']): string {
  const named = { ...models, ...schemas };
  const groups = Map.groupBy(operations, ({ name }) => name.split('.')[0]);
  const blocks = [...groups].map(
    ([group, own]) => `  ${group}: {\n${own.map((one) => lineOf(one, named)).join('')}  };\n`,
  );
  return `${HEAD}${blocks.join('')}}\n\n/** The REST route of each operation. */\nexport const ROUTES = {\n${operations.map(routeOf).join('')}} as const satisfies Readonly<Record<string, Route>>;\n\n/** The name of an operation: \`requests.create\`. */\nexport type OperationName = keyof typeof ROUTES;\n`;
}

function routeOf({
  name,
  method,
  path,
  repeatable,
  takesIdempotencyKey,
  takesAskedWhen,
  takesRows,
  answersLines,
  input,
}: Operation): string {
  const facts = [
    `method: '${method}'`,
    `path: '${path}'`,
    `repeatable: ${repeatable}`,
    ...(takesIdempotencyKey ? ['takesIdempotencyKey: true'] : []),
    ...(takesAskedWhen ? ['takesAskedWhen: true'] : []),
    ...(takesRows ? ['takesRows: true'] : []),
    ...(answersLines ? ['answersLines: true'] : []),
    ...(input ? [] : ['takesNoInput: true']),
  ];
  return `  '${name}': { ${facts.join(', ')} },\n`;
}

/** What packages/schema exports, with the models of the contract's payers. */
type Named = Readonly<Record<string, unknown>>;

function lineOf(
  { name, method, path, repeatable, description, problems = [], input, output }: Operation,
  named: Named,
): string {
  const kind = method === 'GET' ? 'Query' : 'Mutation';
  const codes = problems.map((code) => `${PROBLEMS[code].status} \`${code}\``).join(', ');
  const texts = [description, codes && `${codes}.`, !repeatable && 'Not retried.'].filter(Boolean);
  const types = `${input ? inputOf(input, path, named) : 'void'}, ${outputOf(output, named)}`;
  return `    /** ${texts.join(' ')} */\n    ${name.split('.')[1]}: ${kind}<${types}>;\n`;
}

/** The names in the path, and the type of the model that holds the rest. */
function inputOf({ shape }: z.ZodObject, path: string, named: Named): string {
  const inPath = pathParameters(path);
  const rest = Object.fromEntries(Object.entries(shape).filter(([name]) => !inPath.includes(name)));
  const fromPath = `{ ${inPath.map((name) => `${name}: string`).join('; ')} }`;
  if (Object.keys(rest).length === 0) return fromPath;
  const type = `z.input<${valueOf(nameOf((model) => hasFields(model, rest), named))}>`;
  return inPath.length === 0 ? type : `${fromPath} & ${type}`;
}

function outputOf(output: z.ZodType, named: Named): string {
  const name = nameOf((model) => model === output, named);
  return `models.${name}${dependsOnPayers(name) ? '<P>' : ''}`;
}

/** @throws {TypeError} where packages/schema exports no such model. */
function nameOf(holds: (model: unknown) => boolean, named: Named): string {
  const [name] = Object.entries(named).find(([, model]) => holds(model)) ?? [];
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
