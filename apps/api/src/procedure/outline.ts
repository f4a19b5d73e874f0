import * as z from 'zod';

/** The parts of a JSON value that a schema looks at. */
export type Outline = ObjectOutline | ListOutline | ScalarOutline;

export interface ObjectOutline {
  readonly kind: 'object';
  readonly isNullable: boolean;
  readonly members: readonly Member[];
  /** The bits of the required members. */
  readonly requiredBits: number;
  /** It ignores the members that it does not know. */
  readonly isOpen: boolean;
}

export interface Member {
  readonly name: string;
  readonly nameBytes: Buffer;
  readonly outline: Outline;
  /** One of 31 bits: a bitmap of the members seen costs less than a set. */
  readonly bit: number;
}

interface ListOutline {
  readonly kind: 'list';
  readonly isNullable: boolean;
  readonly element: Outline;
}

/** A text, or another scalar. */
interface ScalarOutline {
  readonly kind: 'text' | 'scalar';
  readonly isNullable: boolean;
}

/**
 * The outline of an operation's schema.
 * @throws {TypeError} for a kind of schema that no operation has used so far: decide first what may be left out of it.
 */
export function outlineOf(schema: z.core.$ZodType): Outline {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return outlineOf(schema.def.innerType);
  if (schema instanceof z.ZodNullable) return { ...outlineOf(schema.def.innerType), isNullable: true };
  const isNullable = false;
  if (schema instanceof z.ZodObject)
    return { ...objectOutline(schema.shape), isOpen: OPEN_MODELS.has(idOf(schema) ?? '') };
  if (schema instanceof z.ZodArray) return { kind: 'list', isNullable, element: outlineOf(schema.element) };
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return { kind: 'text', isNullable };
  // Our own text fields, such as dates and addresses, which report a wrong type themselves.
  if (schema instanceof z.ZodUnknown && schema.meta()?.['type'] === 'string')
    return { kind: 'text', isNullable };
  if (schema instanceof z.ZodNumber || schema instanceof z.ZodBoolean || schema instanceof z.ZodLiteral)
    return { kind: 'scalar', isNullable };
  throw new TypeError(`No outline is known for a schema of the kind ${schema._zod.def.type}.`);
}

/** The specification's two bodies and the entry that `work.submit` takes too; what a browser makes of a passkey. */
const OPEN_MODELS: ReadonlySet<string> = new Set([
  'RequestInfo',
  'BatchRow',
  'ResponseModel',
  'InsurancePlanData',
  'NewCredential',
  'Assertion',
]);

/** The id of the model that a schema is, or was before it was described again. */
function idOf(schema: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.id ?? (schema._zod.parent && idOf(schema._zod.parent));
}

/** The outline of an object, given each member's schema. */
export function objectOutline(shape: Readonly<Record<string, z.core.$ZodType>>): ObjectOutline {
  const entries = Object.entries(shape);
  if (entries.length > 31) throw new TypeError('An outline of an object has 31 members at most.');
  const members = entries.map(([name, field], index) => ({
    name,
    nameBytes: Buffer.from(name),
    outline: outlineOf(field),
    bit: 1 << index,
  }));
  const requiredBits = entries
    .map(([, field], index) => (field._zod.optin === undefined ? 1 << index : 0))
    .reduce((bits, bit) => bits | bit, 0);
  return { kind: 'object', isNullable: false, members, requiredBits, isOpen: false };
}
