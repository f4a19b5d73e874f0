import type { Breach, Rule } from './rules.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A JSON Schema as OpenAPI 3.1 has it, of the keywords that this project writes. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly default?: Json;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly pattern?: string;
  readonly format?: string;
  readonly [bound: string]: unknown;
}

/** Who writes the value: a caller sends it, or the service returns it. */
export type Flow = 'sent' | 'returned';

interface Place {
  readonly path: string;
  readonly flow: Flow;
}

/** Finds a schema by its `$ref`. */
export type Resolve = (ref: string) => Schema | undefined;

type Report = (breach: Breach) => void;

/**
 * Compares the schemas of one release with those of another. Two references that were compared once in a flow are not
 * compared again, so schemas may refer to themselves; the path of a breach begins at the component.
 */
export function schemaComparer(resolveBefore: Resolve, resolveNow: Resolve, report: Report) {
  const compared = new Set<string>();

  function compare(before: Schema, now: Schema, { path, flow }: Place): void {
    if (before.$ref !== undefined && now.$ref !== undefined) {
      const pair = `${before.$ref} ${now.$ref} ${flow}`;
      if (compared.has(pair)) return;
      compared.add(pair);
    }
    const place = { path: before.$ref === undefined ? path : nameOf(before.$ref), flow };
    const [was, is] = [resolved(before, resolveBefore), resolved(now, resolveNow)];
    const forms = [formsOf(was, resolveBefore), formsOf(is, resolveNow)] as const;
    compareForms(...forms, place, report);
    if (forms.some(({ size }) => size > 1)) {
      for (const [name, form] of forms[0]) {
        const same = forms[1].get(name);
        if (same && name !== 'null') compare(form, same, place);
      }
      return;
    }
    compareValues(was, is, place, report);
    compareMembers(was, is, place);
    if (was.items && is.items) compare(was.items, is.items, { path: `${place.path}[]`, flow });
  }

  function compareMembers(was: Schema, is: Schema, { path, flow }: Place): void {
    const breach = (rule: Rule, name: string, what: string) =>
      report({ rule, path: name === '' ? path : `${path}.${name}`, what });
    for (const [name, member] of Object.entries(was.properties ?? {})) {
      const same = is.properties?.[name];
      if (!same) breach(flow === 'sent' ? 'input-removed' : 'answer-removed', name, 'the member is gone');
      else compare(member, same, { path: `${path}.${name}`, flow });
      if (same && flow === 'returned' && was.required?.includes(name) && !is.required?.includes(name))
        breach('answer-optional', name, 'always there, now optional');
    }
    for (const name of is.required ?? [])
      if (flow === 'sent' && !was.required?.includes(name))
        breach(
          'input-required',
          name,
          was.properties?.[name] ? 'optional, now required' : 'new, and required',
        );
    if (
      flow === 'sent' &&
      was.properties &&
      is.additionalProperties === false &&
      was.additionalProperties !== false
    )
      breach('input-closed', '', 'other members were ignored, now refused');
    if (isSchema(was.additionalProperties) && isSchema(is.additionalProperties))
      compare(was.additionalProperties, is.additionalProperties, { path: `${path}.*`, flow });
  }

  return compare;
}

/** Whether a form of the value that was there is gone, or one is new; forms are matched by component or type. */
function compareForms(
  before: ReadonlyMap<string, Schema>,
  now: ReadonlyMap<string, Schema>,
  { path, flow }: Place,
  report: Report,
): void {
  if (before.size === 0 || now.size === 0) return; // anything was or is taken
  const has = (forms: ReadonlyMap<string, Schema>, name: string) =>
    forms.has(name) || (name === 'integer' && forms.has('number'));
  const gone = [...before.keys()].filter((name) => !has(now, name));
  const added = [...now.keys()].filter((name) => !has(before, name));
  if (flow === 'sent' && gone.length > 0)
    report({ rule: 'input-narrowed', path, what: `no longer ${gone.join(', ')}` });
  if (flow === 'returned' && added.length > 0)
    report({ rule: 'answer-widened', path, what: `now also ${added.join(', ')}` });
}

const LOWER = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'];
const UPPER = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'];

/** The values of one form: constants, enumerations, bounds, patterns, formats, defaults. */
function compareValues(was: Schema, is: Schema, { path, flow }: Place, report: Report): void {
  const breach = (rule: Rule, before: unknown, now: unknown) =>
    report({ rule, path, what: `${text(before)}, now ${text(now)}` });
  if (was.const !== undefined && !same(was.const, is.const) && !is.enum?.includes(was.const))
    breach('constant-changed', was.const, is.const);
  const gone = (was.enum ?? []).filter(
    (value) => !(is.enum ?? (is.const === undefined ? was.enum : [is.const]))?.includes(value),
  );
  if (gone.length > 0) report({ rule: 'value-removed', path, what: gone.map(text).join(', ') });
  const isOpen = (schema: Schema) => schema.enum === undefined && schema.const === undefined;
  if (flow === 'sent' && isOpen(was) && !isOpen(is))
    report({ rule: 'input-narrowed', path, what: 'any value, now some' });
  if (flow === 'returned' && !isOpen(was) && isOpen(is))
    report({ rule: 'answer-widened', path, what: 'some values, now any' });
  if (was.format !== is.format && (flow === 'sent' ? is.format : was.format) !== undefined)
    breach('format-changed', was.format, is.format);
  if (flow === 'returned') return;
  for (const bound of [...LOWER, ...UPPER]) {
    const [before, now] = [was[bound] as number | undefined, is[bound] as number | undefined];
    if (now === undefined || before === now) continue;
    const isNarrower = before === undefined || (LOWER.includes(bound) ? now > before : now < before);
    if (isNarrower) report({ rule: 'bound-narrowed', path, what: `${bound} ${text(before)}, now ${now}` });
  }
  if (is.pattern !== undefined && is.pattern !== was.pattern)
    breach('pattern-changed', was.pattern, is.pattern);
  if (was.default !== undefined && !same(was.default, is.default))
    breach('default-changed', was.default, is.default);
}

/** The forms that a value may have: each named component of a choice, else each type; none for a schema without a type. */
function formsOf(schema: Schema, resolve: Resolve): ReadonlyMap<string, Schema> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices === undefined) {
    const types = [schema.type ?? []].flat();
    return new Map(types.map((type) => [type, types.length === 1 ? schema : { ...schema, type }]));
  }
  return new Map(
    choices.flatMap((choice) =>
      choice.$ref === undefined
        ? [...formsOf(choice, resolve)]
        : isOneType(resolved(choice, resolve))
          ? [[String(resolved(choice, resolve).type), choice] as const]
          : [[nameOf(choice.$ref), choice] as const],
    ),
  );
}

/** A component of a plain type, such as an enumeration, is the same form as that type without a name. */
const isOneType = ({ type }: Schema) => typeof type === 'string' && type !== 'object';

/** Follows references; the members of an `allOf` are joined. */
function resolved(schema: Schema, resolve: Resolve): Schema {
  const found = schema.$ref === undefined ? schema : resolve(schema.$ref);
  if (found === undefined) throw new Error(`There is no ${schema.$ref ?? ''} in the document`);
  if (found !== schema && found.$ref !== undefined) return resolved(found, resolve);
  if (!found.allOf) return found;
  const parts = [found, ...found.allOf.map((part) => resolved(part, resolve))];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  } as Schema;
}

const isSchema = (schema: boolean | Schema | undefined): schema is Schema => typeof schema === 'object';
const nameOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
const text = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value));
