import * as z from 'zod';

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
