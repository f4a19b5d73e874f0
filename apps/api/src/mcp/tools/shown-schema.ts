import type * as z from 'zod';

// A model has the schemas of every tool before it in each conversation: written in full, seven tools took 87 KB. A tool
// cannot refer to the schema of another, so what two would repeat is in one of them.

type Schema = z.core.JSONSchema.JSONSchema;
type Definitions = Readonly<Record<string, Schema>>;

/**
 * The JSON Schema of a tool's input in fewer bytes: names, types, values and meanings. The dialect is the protocol's. What
 * a text or a list may be beyond its type, and that inner objects take no other names, is left to the refusal, which names
 * the place. In a definition null is left out where the member may be, which means the same. A definition is described by the members that refer to it.
 */
export const shownInput = ({ additionalProperties, ...schema }: Schema): Schema => ({
  ...shown(schema, [...BOUNDS, 'additionalProperties'], 'input'),
  ...(additionalProperties !== undefined && { additionalProperties }),
});

/**
 * The JSON Schema of an answer: its members and their meanings. All of it is open, since a newer service adds members and
 * values, and a client refuses an answer that its schema does not allow; a benefit has the members of `submit_result`.
 */
export const shownAnswer = (schema: Schema): Schema =>
  shown(
    schema,
    [...BOUNDS, 'additionalProperties', 'required', 'enum', 'format', 'minimum', 'maximum'],
    'answer',
  );

const BOUNDS = ['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'] as const;

/** @param unsaid the keywords that are left out. */
function shown(
  { $defs = {}, $schema: _dialect, ...root }: Schema,
  unsaid: readonly (keyof Schema)[],
  of: 'input' | 'answer',
): Schema {
  const definitions = $defs as Definitions;
  const used: Record<string, Schema> = {};

  const walk = (schema: Schema, isDefinition = false): Schema => {
    const { $ref, properties, items, anyOf, ...rest } = schema;
    for (const name of unsaid) delete rest[name];
    if ($ref !== undefined) return { ...refer($ref.slice('#/$defs/'.length), rest), ...rest };
    return {
      ...rest,
      ...(properties && {
        properties: walkAll(properties as Definitions, isDefinition ? (schema.required ?? []) : undefined),
      }),
      ...(items !== undefined && { items: walk(items as Schema) }),
      ...(anyOf && choice(anyOf.map((one) => walk(one)))),
    };
  };

  /** @param required the members that keep their null; undefined: all do. */
  const walkAll = (members: Definitions, required: readonly string[] | undefined) =>
    Object.fromEntries(
      Object.entries(members).map(([name, member]) => [
        name,
        walk(required && !required.includes(name) ? withoutNull(member) : member),
      ]),
    );

  const refer = (name: string, { description: said }: Schema): Schema => {
    const { description, ...definition } = definitions[name] ?? {};
    if (of === 'answer' && definition.enum) return { type: 'string' };
    if (of === 'answer' && name === 'SubmittedBenefit') return { type: 'object' };
    used[name] ??= walk(said === undefined ? { description, ...definition } : definition, of === 'input');
    return { $ref: `#/$defs/${name}` };
  };

  const made = walk(root);
  return Object.keys(used).length === 0 ? made : { ...made, $defs: used };
}

/** A type or null, as one list of types where that says the same. */
function choice(anyOf: readonly Schema[]): Schema {
  const [first, second, ...more] = anyOf;
  const isPlain = first?.type === 'string' && !first.enum && second?.type === 'null' && more.length === 0;
  return isPlain ? ({ ...first, type: ['string', 'null'] } as unknown as Schema) : { anyOf: [...anyOf] };
}

/** A member that is a type or null, without the null. */
function withoutNull({ anyOf, ...rest }: Schema): Schema {
  const types = anyOf ?? [];
  const [first, ...others] = types.filter(({ type }) => type !== 'null');
  if (first === undefined || types.length === 1 + others.length) return anyOf ? { ...rest, anyOf } : rest;
  return others.length === 0 ? { ...first, ...rest } : { ...rest, anyOf: [first, ...others] };
}
