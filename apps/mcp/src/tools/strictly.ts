import * as z from 'zod';
import { strictObject } from './strict-object.ts';

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
