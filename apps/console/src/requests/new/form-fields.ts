import type { Schemas } from '@insurance-verification/schema';
import * as z from 'zod';

/** One field of the form, made from the model: its path is where its value and its faults belong. */
export interface FormField {
  /** As in a fault's location: `patient_info.dob`. */
  readonly path: string;
  readonly isRequired: boolean;
  /** `list`: texts with commas or spaces between. */
  readonly kind: 'text' | 'list' | 'choice';
  /** Of a choice. */
  readonly options: readonly string[];
}

/** Fields that belong together, in the model's order. */
export interface FormGroup {
  /** The member that holds them; empty for those of the request itself. */
  readonly name: string;
  readonly fields: readonly FormField[];
}

/** The form of a model: a group for each object in it, and one for what is left. What the model gains, the form gains. */
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

function fieldOf(path: string, given: z.ZodType): FormField {
  const { inner, isRequired } = unwrap(given);
  if (inner instanceof z.ZodEnum)
    return { path, isRequired, kind: 'choice', options: inner.options.map(String) };
  return { path, isRequired, kind: inner instanceof z.ZodArray ? 'list' : 'text', options: [] };
}

/** The type below what says that it may be absent or null. */
function unwrap(type: z.ZodType): { readonly inner: z.ZodType; readonly isRequired: boolean } {
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable)
    return { inner: unwrap(type.unwrap() as z.ZodType).inner, isRequired: false };
  return { inner: type, isRequired: true };
}
