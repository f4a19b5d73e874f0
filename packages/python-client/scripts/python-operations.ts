import type { JsonSchema, ProviderDocument, ProviderOperation } from './provider-document.ts';
import { docstring, fieldName, modelName, pascalCase, snakeCase, typeOf } from './python-text.ts';

/** `_operations.py`: a class for each resource with a method for each operation, sync and async. */
export function pythonOperations({ operations, models }: ProviderDocument): string {
  const resources = [...Map.groupBy(operations, ({ name }) => name.split('.')[0] ?? '')];
  return `import datetime
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator

from . import models
from ._call import AsyncLines, AsyncSend, Lines, Send, async_pieces_of, key_or_new, pieces_of, to_call

${[false, true].map((isAsync) => allOf(resources, models, isAsync)).join('\n')}`;
}

type Resource = readonly [name: string, operations: readonly ProviderOperation[]];

function allOf(resources: readonly Resource[], models: ProviderDocument['models'], isAsync: boolean): string {
  const prefix = isAsync ? 'Async' : '';
  const classOf = (name: string) => `${prefix}${pascalCase(snakeCase(name))}`;
  const attributes = resources.map(
    ([name, operations]) =>
      `        self.${snakeCase(name)} = ${classOf(name)}(send${hasLines(operations) ? ', lines' : ''})\n`,
  );
  const classes = resources.map(
    ([name, operations]) => `
class ${classOf(name)}:
    def __init__(self, send: ${prefix}Send${hasLines(operations) ? `, lines: ${prefix}Lines` : ''}) -> None:
        self._send = send
${hasLines(operations) ? '        self._lines = lines\n' : ''}
${operations.flatMap((one) => [methodOf(one, isAsync), ...pagesOf(one, models, isAsync)]).join('\n')}
`,
  );
  return `${classes.join('')}
class ${prefix}Operations:
    def __init__(self, send: ${prefix}Send, lines: ${prefix}Lines) -> None:
${attributes.join('')}
`;
}

const hasLines = (operations: readonly ProviderOperation[]) =>
  operations.some(({ answersLines }) => answersLines);

/** The headers of a create, which the document has as text. */
const TYPE_OF_HEADER: Readonly<Record<string, string>> = {
  'Service-Date': 'datetime.date',
  'Needed-By': 'datetime.datetime',
  Gender: 'str',
  'Callback-Url': 'str',
  'Batch-Label': 'str',
};

function methodOf(operation: ProviderOperation, isAsync: boolean): string {
  const { name, method, path, repeatable, takesIdempotencyKey, description, body, row, answer } = operation;
  const of = (place: string) => parametersOf(operation).filter((parameter) => parameter.in === place);
  const headers = of('header').filter(({ name: header }) => header in TYPE_OF_HEADER);
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
    ...(row ? [`body=${isAsync ? 'await async_' : ''}pieces_of("${name}", rows)`] : []),
    ...mapping(
      'headers',
      headers.map((one) => [one.name, headerName(one.name)]),
    ),
    ...(takesIdempotencyKey ? [`idempotency_key=key_or_new("${name}", idempotency_key)`] : []),
  ];
  const call = `to_call(\n${facts.map((fact) => `                ${fact},\n`).join('')}            )`;
  return [
    `    ${isAsync ? 'async ' : ''}def ${snakeCase(name.split('.')[1] ?? '')}(\n`,
    signature(operation, isAsync),
    `    ) -> ${operation.answersLines ? `${isAsync ? 'AsyncIterator' : 'Iterator'}[${answerOf(answer)}]` : answerOf(answer)}:\n`,
    docstring(description, '        '),
    operation.answersLines ? linesOf(call, isAsync) : sendOf(call, isAsync),
  ].join('');
}

const sendOf = (call: string, isAsync: boolean) =>
  `        return ${isAsync ? 'await ' : ''}self._send(\n            ${call}\n        )\n`;

const linesOf = (call: string, isAsync: boolean) =>
  isAsync
    ? `        async for item in self._lines(\n            ${call}\n        ):\n            yield item\n`
    : `        yield from self._lines(\n            ${call}\n        )\n`;

/** Lines come as long as there are some: a page has no size there. */
const parametersOf = ({ parameters, answersLines }: ProviderOperation) =>
  parameters.filter(({ name }) => !(answersLines && name === 'limit'));

/** The iterator over the pages of a list. */
function pagesOf(
  operation: ProviderOperation,
  models: ProviderDocument['models'],
  isAsync: boolean,
): string[] {
  const filters = operation.parameters.filter(({ name }) => name !== 'cursor');
  if (operation.answersLines || filters.length === operation.parameters.length) return [];
  const { items } = models[modelName(operation.answer.$ref ?? '')]?.properties ?? {};
  const item = typeOf(items?.items ?? {}, 'models.');
  const name = snakeCase(operation.name.split('.')[1] ?? '');
  const given = filters.map((one) => `${fieldName(one.name)}=${fieldName(one.name)}, `).join('');
  return [
    `    ${isAsync ? 'async ' : ''}def ${name}_all(
${signature({ ...operation, parameters: filters }, isAsync)}    ) -> ${isAsync ? 'AsyncIterator' : 'Iterator'}[${item}]:
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

function signature(operation: ProviderOperation, isAsync: boolean): string {
  const { body, row, takesIdempotencyKey } = operation;
  const parameters = parametersOf(operation);
  const ids = parameters.filter((one) => one.in === 'path');
  const query = parameters.filter((one) => one.in === 'query');
  const headers = parameters.filter((one) => one.name in TYPE_OF_HEADER);
  const named = [
    ...query.map((one) => keyword(fieldName(one.name), typeOf(one.schema, 'models.'), one.required ?? false)),
    // The key of rows has to be known when they are sent again.
    ...(takesIdempotencyKey ? [`idempotency_key: str${row ? '' : ' | None = None'}`] : []),
    ...headers.map((one) => keyword(headerName(one.name), TYPE_OF_HEADER[one.name] ?? '', false)),
  ];
  const lines = [
    'self',
    ...ids.map((one) => `${fieldName(one.name)}: str`),
    ...(body ? [`body: ${typeOf(body.schema, 'models.')}${body.isRequired ? '' : ' = None'}`] : []),
    ...(row ? [`rows: ${rowsOf(typeOf(row, 'models.'), isAsync)}`] : []),
    ...(named.length > 0 ? ['*', ...named] : []),
  ];
  return lines.map((line) => `        ${line},\n`).join('');
}

const keyword = (name: string, type: string, isRequired: boolean) =>
  isRequired ? `${name}: ${type}` : `${name}: ${type} | None = None`;

const rowsOf = (row: string, isAsync: boolean) =>
  isAsync ? `Iterable[${row}] | AsyncIterable[${row}]` : `Iterable[${row}]`;

const headerName = (name: string) =>
  name === 'Batch-Label' ? 'label' : name.toLowerCase().replaceAll('-', '_');

const answerOf = (answer: JsonSchema) => (answer.$ref === undefined ? 'object' : typeOf(answer, 'models.'));

function mapping(name: string, entries: readonly (readonly [string, string])[]): string[] {
  if (entries.length === 0) return [];
  return [`${name}={${entries.map(([key, value]) => `"${key}": ${value}`).join(', ')}}`];
}
