import type { Schemas, ValidationError } from '@insurance-verification/schema';
import * as z from 'zod';
import { fromTyped, readDate } from '../../look/read-date.ts';

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
interface FormGroup {
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

/** The labels of groups and fields; one without a label is shown by its name. */
const WORDS: Readonly<Record<string, string>> = {
  patient_info: 'Patient',
  payer_info: 'Payer',
  provider_info: 'Provider',
  '': 'Question and answer',
  'patient_info.subscriber_id': 'Member id',
  'patient_info.dob': 'Date of birth',
  'patient_info.name': 'Full name',
  'patient_info.address': 'Address',
  'payer_info.name': 'Plan',
  'payer_info.phone_number': 'Payer’s phone',
  'provider_info.npi': 'NPI',
  'provider_info.name': 'Name',
  'provider_info.tin': 'TIN',
  'provider_info.organization_name': 'Organization',
  cpt_code_coverage: 'Procedure codes',
  callback_url: 'Callback address',
};

export const wordOf = (path: string): string =>
  WORDS[path] ?? (path.split('.').at(-1) ?? path).replaceAll('_', ' ');

/** Hints of fields whose label does not say what they take. */
export const HINTS: Readonly<Record<string, string>> = {
  cpt_code_coverage: 'D0120, D1110',
  callback_url: 'https://clinic.example/verified',
};

/** The typed texts by the paths of their fields. */
export type FormValues = Readonly<Record<string, string>>;

/** The input of `requests.create`. An empty field is left out; the model decides whether it may be. */
export function bodyOf(fields: readonly FormField[], values: FormValues): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { path, kind } of fields) {
    const [group = '', key] = path.split('.');
    const holder = key === undefined ? body : ((body[group] ??= {}) as Record<string, unknown>);
    const value = (values[path] ?? '').trim();
    if (value === '') continue;
    holder[key ?? group] = kind === 'list' ? value.split(/[\s,;]+/).filter((one) => one !== '') : value;
  }
  return body;
}

/** The typed texts for the input of an existing request. */
export function valuesOf(fields: readonly FormField[], input: Readonly<Record<string, unknown>>): FormValues {
  return Object.fromEntries(
    fields.map(({ path }) => {
      const value = path
        .split('.')
        .reduce<unknown>((holder, key) => (holder as Record<string, unknown>)?.[key], input);
      return [path, Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : ''];
    }),
  );
}

/** The headers of a request as typed; empty for none. */
export interface When {
  readonly serviceDate: string;
  readonly neededDay: string;
  /** `HH:MM`, in the zone of the page; without it the end of the day. */
  readonly neededTime: string;
  /** `F`, `M` or `U`; it is typed only for a payer that asks for it. */
  readonly gender: string;
}

export const NO_TIME: When = { serviceDate: '', neededDay: '', neededTime: '', gender: '' };

interface Typed {
  readonly fields: readonly FormField[];
  readonly values: FormValues;
  readonly when: When;
  readonly zone: string;
  readonly today: Date;
}

interface ReadDays {
  /** With the days as `YYYY-MM-DD`. */
  readonly values: FormValues;
  /** As the call takes it: absent for nothing. */
  readonly headers: { readonly serviceDate?: string; readonly neededBy?: string; readonly gender?: string };
  /** Of days that can be two, or that nothing can be read of: they are asked for again, never guessed. */
  readonly faults: readonly ValidationError[];
}

/** Reads every day of the form as the workbench reads its own. */
export function readDays({ fields, values, when, zone, today }: Typed): ReadDays {
  const faults: ValidationError[] = [];
  const dayOf = (text: string, loc: ValidationError['loc'], isBirth: boolean): string => {
    const read = readDate(text, today, isBirth);
    if (read.kind === 'day') return read.day;
    const msg =
      read.kind === 'ambiguous' ? `Which day is ${text}?` : 'Type a day: 1/31/2026, 20260131 or today.';
    if (read.kind !== 'none') faults.push({ loc, msg, type: 'date_parsing' });
    return '';
  };
  const births = fields
    .filter(({ kind }) => kind === 'birth')
    .map(({ path }) => [path, dayOf(values[path] ?? '', ['body', ...path.split('.')], true)] as const);
  const serviceDate = dayOf(when.serviceDate, ['header', 'service-date'], false);
  const neededDay = dayOf(when.neededDay, ['header', 'needed-by'], false);
  return {
    values: { ...values, ...Object.fromEntries(births) },
    headers: {
      ...(serviceDate !== '' && { serviceDate }),
      ...(when.gender !== '' && { gender: when.gender }),
      ...(neededDay !== '' && { neededBy: fromTyped(`${neededDay}T${when.neededTime || '23:59'}`, zone) }),
    },
    faults,
  };
}
