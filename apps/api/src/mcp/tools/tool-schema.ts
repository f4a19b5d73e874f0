import * as z from 'zod';

// A model has the schemas of every tool before it in each conversation: written in full, seven tools took 87 KB. A tool
// cannot refer to the schema of another, so what two would repeat is in one of them. Within a schema nothing is referred to
// either: several clients drop `$ref`, and with it the model that it names. Few models are used twice, so in place they take
// no more bytes.

type JsonSchema = z.core.JSONSchema.JSONSchema;
type Definitions = Readonly<Record<string, JsonSchema>>;

/**
 * The JSON Schema of a tool's input in fewer bytes: names, types, values and meanings. The dialect is the protocol's. What
 * a text or a list may be beyond its type, and that inner objects take no other names, is left to the refusal, which names
 * the place. In a model null is left out where the member may be, which means the same. A model is described by the member
 * that has it.
 */
export const shownInput = ({ additionalProperties, ...schema }: JsonSchema): JsonSchema => ({
  ...shown(schema, [...BOUNDS, 'additionalProperties'], 'input'),
  ...(additionalProperties !== undefined && { additionalProperties }),
});

/**
 * The JSON Schema of an answer: its members and their meanings. All of it is open, since a newer service adds members and
 * values, and a client refuses an answer that its schema does not allow; a benefit has the members of `submit_result`.
 */
export const shownAnswer = (schema: JsonSchema): JsonSchema =>
  shown(
    schema,
    [...BOUNDS, 'additionalProperties', 'required', 'enum', 'format', 'minimum', 'maximum'],
    'answer',
  );

const BOUNDS = ['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'] as const;

/** @param unsaid the keywords that are left out. */
function shown(
  { $defs = {}, $schema: _dialect, ...root }: JsonSchema,
  unsaid: readonly (keyof JsonSchema)[],
  of: 'input' | 'answer',
): JsonSchema {
  const definitions = $defs as Definitions;

  const walk = (schema: JsonSchema, isModel = false): JsonSchema => {
    const { $ref, properties, items, anyOf, ...rest } = schema;
    for (const name of unsaid) delete rest[name];
    if ($ref !== undefined) return { ...modelOf($ref.slice('#/$defs/'.length)), ...rest };
    return {
      ...rest,
      ...(properties && {
        properties: walkAll(properties as Definitions, isModel ? (schema.required ?? []) : undefined),
      }),
      ...(items !== undefined && { items: walk(items as JsonSchema) }),
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

  const modelOf = (name: string): JsonSchema => {
    const model = definitions[name] ?? {};
    if (of === 'answer' && model.enum) return { type: 'string' };
    if (of === 'answer' && name === 'SubmittedBenefit') return { type: 'object' };
    return walk(model, of === 'input');
  };

  return walk(root);
}

/** A type or null, as one list of types where that says the same. */
function choice(anyOf: readonly JsonSchema[]): JsonSchema {
  const [first, second, ...more] = anyOf;
  const isPlain = first?.type === 'string' && !first.enum && second?.type === 'null' && more.length === 0;
  return isPlain ? ({ ...first, type: ['string', 'null'] } as unknown as JsonSchema) : { anyOf: [...anyOf] };
}

/** A member that is a type or null, without the null. */
function withoutNull({ anyOf, ...rest }: JsonSchema): JsonSchema {
  const types = anyOf ?? [];
  const [first, ...others] = types.filter(({ type }) => type !== 'null');
  if (first === undefined || types.length === 1 + others.length) return anyOf ? { ...rest, anyOf } : rest;
  return others.length === 0 ? { ...first, ...rest } : { ...rest, anyOf: [first, ...others] };
}

/** Names quoted in one refusal, and characters of each: a message may hold ten thousand of any length. */
const [NAME_COUNT_MAX, NAME_LENGTH_MAX] = [10, 60];

/** Arguments that reject unknown names: a misspelt one would be dropped, and the result be wrong. */
export function strictObject<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape).join(', ') || 'none';
  return z.strictObject(shape, {
    error: ({ code, keys }) => {
      if (code !== 'unrecognized_keys') return undefined;
      return `Unknown: ${named(keys)}. Known here: ${known}.${hint(keys)}`;
    },
  });
}

/** Fields that verifiers send over the service's other interfaces; here the tools fill them in. */
const FILLED_IN = new Set(['lease_token', 'person_uuid', 'verification_time', 'verification_source', 'uuid']);

function hint(keys: readonly string[]): string {
  return keys.some((key) => FILLED_IN.has(key)) ? ' What your lease knows is filled in from it.' : '';
}

function named(keys: readonly string[]): string {
  const names = keys.slice(0, NAME_COUNT_MAX).map((key) => key.slice(0, NAME_LENGTH_MAX));
  const more = keys.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/**
 * A model whose objects, at any depth, refuse unknown names as {@link strictObject} does. Bounds, words and names stay:
 * a model that is used twice is one definition of the JSON Schema.
 */
export function strictly<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  return strict(schema, new Map()) as Schema;
}

type Made = Map<z.core.$ZodType, z.core.$ZodType>;

function strict(schema: z.core.$ZodType, made: Made): z.core.$ZodType {
  const known = made.get(schema);
  if (known) return known;
  const copy = copyOf(schema, made);
  made.set(schema, copy);
  if (copy === schema) return schema;
  const { id, description } = z.globalRegistry.get(schema) ?? {};
  // No clone with a parent: the JSON Schema would hold the definitions of the parent as well, open as they are.
  z.globalRegistry.add(copy, {
    ...(id !== undefined && { id }),
    ...(description !== undefined && { description }),
  });
  return copy;
}

function copyOf(schema: z.core.$ZodType, made: Made): z.core.$ZodType {
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.shape).map(
      ([name, member]) => [name, strict(member, made)] as const,
    );
    return strictObject(Object.fromEntries(members));
  }
  if (schema instanceof z.ZodArray)
    return z.core.clone(schema, { ...schema._zod.def, element: strict(schema._zod.def.element, made) });
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return z.core.clone(schema, { ...schema._zod.def, innerType: strict(schema._zod.def.innerType, made) });
  return schema;
}
