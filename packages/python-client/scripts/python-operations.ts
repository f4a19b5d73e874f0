import type { JsonSchema, ProviderDocument, ProviderOperation } from './provider-document.ts';
import { docstring, fieldName, modelName, pascalCase, snakeCase, typeOf } from './python-text.ts';

/** `_operations.py`: a class for each resource with a method for each operation, sync and async. */
export function pythonOperations({ operations, models }: ProviderDocument): string {
  const resources = [...Map.groupBy(operations, ({ name }) => name.split('.')[0] ?? '')];
  return `import datetime
from collections.abc import AsyncIterator, Iterator

from . import models
from ._call import AsyncSend, Send, key_or_new, to_call

${[false, true].map((isAsync) => allOf(resources, models, isAsync)).join('\n')}`;
}

type Resource = readonly [name: string, operations: readonly ProviderOperation[]];

function allOf(resources: readonly Resource[], models: ProviderDocument['models'], isAsync: boolean): string {
  const prefix = isAsync ? 'Async' : '';
  const classOf = (name: string) => `${prefix}${pascalCase(snakeCase(name))}`;
  const attributes = resources.map(([name]) => `        self.${snakeCase(name)} = ${classOf(name)}(send)\n`);
  const classes = resources.map(
    ([name, operations]) => `
class ${classOf(name)}:
    def __init__(self, send: ${prefix}Send) -> None:
        self._send = send

${operations.flatMap((one) => [methodOf(one, isAsync), ...pagesOf(one, models, isAsync)]).join('\n')}
`,
  );
  return `${classes.join('')}
class ${prefix}Operations:
    def __init__(self, send: ${prefix}Send) -> None:
${attributes.join('')}
`;
}

/** The headers of a create, which the document has as text. */
const TYPE_OF_HEADER: Readonly<Record<string, string>> = {
  'Service-Date': 'datetime.date',
  'Needed-By': 'datetime.datetime',
};

function methodOf(operation: ProviderOperation, isAsync: boolean): string {
  const { name, method, path, repeatable, takesIdempotencyKey, description, parameters, body, answer } =
    operation;
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const headers = of('header').filter(({ name: header }) => header !== 'Idempotency-Key');
  const facts = [
    `"${name}"`,
    `"${method}"`,
    `"${path}"`,
    answer.$ref === undefined ? 'None' : typeOf(answer, 'models.'),
    `repeatable=${repeatable ? 'True' : 'False'}`,
    ...mapping(
      'ids',
      of('path').map((one) => [one.name, fieldName(one.name)]),
    ),
    ...mapping(
      'query',
      of('query').map((one) => [one.name, fieldName(one.name)]),
    ),
    ...(body ? ['body=body'] : []),
    ...mapping(
      'headers',
      headers.map((one) => [one.name, headerName(one.name)]),
    ),
    ...(takesIdempotencyKey ? ['idempotency_key=key_or_new(idempotency_key)'] : []),
  ];
  return [
    `    ${isAsync ? 'async ' : ''}def ${snakeCase(name.split('.')[1] ?? '')}(\n`,
    signature(operation),
    `    ) -> ${answerOf(answer)}:\n`,
    docstring(description, '        '),
    `        return ${isAsync ? 'await ' : ''}self._send(\n`,
    `            to_call(\n${facts.map((fact) => `                ${fact},\n`).join('')}            )\n`,
    '        )\n',
  ].join('');
}

/** The iterator over the pages of a list. */
function pagesOf(
  operation: ProviderOperation,
  models: ProviderDocument['models'],
  isAsync: boolean,
): string[] {
  const filters = operation.parameters.filter(({ name }) => name !== 'cursor');
  if (filters.length === operation.parameters.length) return [];
  const { items } = models[modelName(operation.answer.$ref ?? '')]?.properties ?? {};
  const item = typeOf(items?.items ?? {}, 'models.');
  const name = snakeCase(operation.name.split('.')[1] ?? '');
  const given = filters.map((one) => `${fieldName(one.name)}=${fieldName(one.name)}, `).join('');
  return [
    `    ${isAsync ? 'async ' : ''}def ${name}_all(
${signature({ ...operation, parameters: filters })}    ) -> ${isAsync ? 'AsyncIterator' : 'Iterator'}[${item}]:
        """The items of all pages, one at a time; \`limit\` is the page size."""
        cursor: str | None = None
        while True:
            page = ${isAsync ? 'await ' : ''}self.${name}(${given}cursor=cursor)
            ${isAsync ? 'for item in page.items:\n                yield item' : 'yield from page.items'}
            cursor = page.next_cursor
            if cursor is None:
                return
`,
  ];
}

function signature({ parameters, body, takesIdempotencyKey }: ProviderOperation): string {
  const ids = parameters.filter((one) => one.in === 'path');
  const query = parameters.filter((one) => one.in === 'query');
  const headers = parameters.filter((one) => one.name in TYPE_OF_HEADER);
  const named = [
    ...query.map((one) => keyword(fieldName(one.name), typeOf(one.schema, 'models.'), one.required ?? false)),
    ...(takesIdempotencyKey ? ['idempotency_key: str | None = None'] : []),
    ...headers.map((one) => keyword(headerName(one.name), TYPE_OF_HEADER[one.name] ?? '', false)),
  ];
  const lines = [
    'self',
    ...ids.map((one) => `${fieldName(one.name)}: str`),
    ...(body ? [`body: ${typeOf(body.schema, 'models.')}${body.isRequired ? '' : ' = None'}`] : []),
    ...(named.length > 0 ? ['*', ...named] : []),
  ];
  return lines.map((line) => `        ${line},\n`).join('');
}

const keyword = (name: string, type: string, isRequired: boolean) =>
  isRequired ? `${name}: ${type}` : `${name}: ${type} | None = None`;

const headerName = (name: string) => name.toLowerCase().replaceAll('-', '_');

const answerOf = (answer: JsonSchema) => (answer.$ref === undefined ? 'object' : typeOf(answer, 'models.'));

function mapping(name: string, entries: readonly (readonly [string, string])[]): string[] {
  if (entries.length === 0) return [];
  return [`${name}={${entries.map(([key, value]) => `"${key}": ${value}`).join(', ')}}`];
}
