import * as z from 'zod';

/**
 * An API model: an object that drops unknown keys, registered under the spec's name.
 *
 * `additionalProperties: undefined` overrides the `false` that Zod writes for parsed objects, so a model has one JSON
 * Schema, open to unknown keys, for input and output. Without it every model used on both sides becomes two OpenAPI
 * components (`X` and `XOutput`). A repeated id only replaces Zod's name → schema entry; it never throws.
 */
export function model<T extends z.core.$ZodLooseShape>(id: string, description: string, shape: T) {
  return z.object(shape).meta({ id, description, additionalProperties: undefined });
}

/** A string enumeration, registered under the spec's name so that it is one OpenAPI component. */
export function enumeration<const T extends readonly string[]>(id: string, description: string, values: T) {
  return z.enum(values).meta({ id, description });
}
