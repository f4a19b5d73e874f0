import type { JsonSchema } from './provider-document.ts';

export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '');

export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Python's own words that the contract has as names. */
const RESERVED = new Set(['from', 'is', 'in', 'class', 'import', 'global', 'pass', 'lambda']);

/** A member's or parameter's name in Python, with an underscore after a word of the language. */
export const fieldName = (name: string): string => (RESERVED.has(name) ? `${name}_` : name);

/** A docstring, wrapped at 110 columns. */
export function docstring(text: string, indent: string): string {
  const width = 110 - indent.length;
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', String.raw`\"""`);
  if (escaped.length <= width - 6 && !escaped.includes('\n') && !escaped.endsWith('"'))
    return `${indent}"""${escaped}"""\n`;
  const lines = escaped.split('\n').flatMap((paragraph) => wrap(paragraph, width));
  return [`"""`, ...lines, `"""`].map((line) => (line === '' ? '\n' : `${indent}${line}\n`)).join('');
}

function wrap(paragraph: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/**
 * The type of a value. An enumeration also takes any other string, since a newer service may add one.
 * @param module before the names of models: `models.`
 * @throws TypeError for a schema that has no type here.
 */
export function typeOf(schema: JsonSchema, module = ''): string {
  return [...new Set(typesOf(schema, module))]
    .toSorted((one, other) => Number(one === 'None') - Number(other === 'None'))
    .join(' | ');
}

function typesOf(schema: JsonSchema, module: string): string[] {
  if (schema.$ref !== undefined) return [`${module}${modelName(schema.$ref)}`];
  if (schema.anyOf) return schema.anyOf.flatMap((one) => typesOf(one, module));
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values) return [`Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`, 'str'];
  if (Array.isArray(schema.type))
    return schema.type.flatMap((type: string) => typesOf({ ...schema, type }, module));
  switch (schema.type) {
    case 'string':
      return [TYPE_OF_FORMAT[schema.format ?? ''] ?? 'str'];
    case 'integer':
      return ['int'];
    case 'number':
      return ['float'];
    case 'boolean':
      return ['bool'];
    case 'null':
      return ['None'];
    case 'array':
      return [`list[${typeOf(schema.items ?? {}, module)}]`];
  }
  throw new TypeError(`No type of Python is known for ${JSON.stringify(schema)}.`);
}

const TYPE_OF_FORMAT: Readonly<Record<string, string>> = {
  'date-time': 'datetime.datetime',
  date: 'datetime.date',
};

export const modelName = (reference: string): string => reference.slice('#/components/schemas/'.length);
