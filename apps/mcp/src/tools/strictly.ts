import * as z from 'zod';
import { strictObject } from './strict-object.ts';

/** A model whose objects, at any depth, refuse unknown names as {@link strictObject} does. Bounds and words stay. */
export function strictly<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  return strict(schema) as Schema;
}

function strict(schema: z.core.$ZodType): z.core.$ZodType {
  const { description } = z.globalRegistry.get(schema) ?? {};
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.shape).map(([name, member]) => [name, strict(member)] as const);
    return strictObject(Object.fromEntries(members)).meta({ description });
  }
  if (schema instanceof z.ZodArray)
    return z.core.clone(
      schema,
      { ...schema._zod.def, element: strict(schema._zod.def.element) },
      { parent: true },
    );
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return z.core.clone(
      schema,
      { ...schema._zod.def, innerType: strict(schema._zod.def.innerType) },
      { parent: true },
    );
  return schema;
}
