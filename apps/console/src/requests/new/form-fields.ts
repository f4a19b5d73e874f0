import type { Schemas } from '@insurance-verification/schema';
import * as z from 'zod';

/** A field of the form, made from the model. */
export interface FormField {
  /** The path of the value, as in a fault's location: `patient_info.dob`. */
  readonly path: string;
  readonly isRequired: boolean;
  /** `list`: texts separated by commas or spaces. `birth`: the day of a birth. */
  readonly kind: 'text' | 'list' | 'choice' | 'birth';
  /** The options of a choice. */
  readonly options: readonly string[];
}

/** Fields that belong together, in the model's order. */
export interface FormGroup {
  /** The member of the model that holds the fields; empty for those of the request itself. */
  readonly name: string;
  readonly fields: readonly FormField[];
}

/**
 * The groups of fields of a model: one for each object in it, and one for its other members. New members of the model
 * appear by themselves.
 */
export function formGroups(model: Schemas['RequestInfo']): FormGroup[] {
  const own: FormField[] = [];
  const groups: FormGroup[] = [];
  for (const [name, given] of Object.entries(model.shape) as [string, z.ZodType][]) {
    const { inner } = unwrap(given);
    if (inner instanceof z.ZodObject)
      groups.push({
        name,
        fields: Object.entries(inner.shape as Record<string, z.ZodType>).map(([key, type]) =>
          fieldOf(`${name}.${key}`, type),
        ),
      });
    else own.push(fieldOf(name, given));
  }
  return [...groups, { name: '', fields: own }];
}

/** A text in the model, as payers' own forms are; people type it like every other day. */
const BIRTH = 'patient_info.dob';

function fieldOf(path: string, given: z.ZodType): FormField {
  const { inner, isRequired } = unwrap(given);
  if (inner instanceof z.ZodEnum)
    return { path, isRequired, kind: 'choice', options: inner.options.map(String) };
  if (path === BIRTH) return { path, isRequired, kind: 'birth', options: [] };
  return { path, isRequired, kind: inner instanceof z.ZodArray ? 'list' : 'text', options: [] };
}

/** The type inside of `optional`, `nullable` and `default`. */
function unwrap(type: z.ZodType): { readonly inner: z.ZodType; readonly isRequired: boolean } {
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable)
    return { inner: unwrap(type.unwrap() as z.ZodType).inner, isRequired: false };
  return { inner: type, isRequired: true };
}
