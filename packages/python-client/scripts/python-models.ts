import { type JsonSchema, type ProviderDocument, REFERENCE } from './provider-document.ts';
import { docstring, fieldName, typeOf } from './python-text.ts';

/** `models.py`: a class for each model, and a type for each enumeration. */
export function pythonModels(models: ProviderDocument['models']): string {
  const names = inOrder(models);
  return `"""The models of the contract. Unknown members are kept, and an enumeration takes any string."""

import datetime
from typing import Literal, TypeAlias

from pydantic import Field

from ._model import Model

__all__ = [
${names
  .toSorted()
  .map((name) => `    "${name}",\n`)
  .join('')}]

${names.map((name) => modelOf(name, models[name] ?? {})).join('\n')}`;
}

/** Each after those that it refers to. */
function inOrder(models: ProviderDocument['models']): string[] {
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]) => {
    if (done.has(name)) return;
    if (path.includes(name)) throw new TypeError(`${name} refers to itself: ${path.join(', ')}`);
    for (const [, , other = ''] of JSON.stringify(models[name]).matchAll(REFERENCE))
      visit(other, [...path, name]);
    done.add(name);
  };
  for (const name of Object.keys(models)) visit(name, []);
  return [...done];
}

function modelOf(name: string, schema: JsonSchema): string {
  const text = docstring(schema.description ?? name, schema.properties ? '    ' : '');
  // The payers are the service's configuration; the document names placeholders.
  if (name === 'Payer') return `Payer: TypeAlias = str\n${text}`;
  if (!schema.properties) return `${name}: TypeAlias = ${typeOf(schema)}\n${text}`;
  const fields = Object.entries(schema.properties).map(([member, inner]) =>
    fieldOf(member, inner, schema.required?.includes(member) ?? false),
  );
  return `\nclass ${name}(Model):\n${text}\n${fields.join('')}`;
}

function fieldOf(member: string, schema: JsonSchema, isRequired: boolean): string {
  const name = fieldName(member);
  const type = typeOf(schema);
  const optional = type.endsWith('None') ? type : `${type} | None`;
  const alias = name === member ? '' : `, validation_alias="${member}", serialization_alias="${member}"`;
  const value = isRequired
    ? alias && ` = Field(${alias.slice(2)})`
    : ` = ${alias ? `Field(default=None${alias})` : 'None'}`;
  const text = schema.description === undefined ? '' : docstring(schema.description, '    ');
  return `    ${name}: ${isRequired ? type : optional}${value}\n${text}`;
}
