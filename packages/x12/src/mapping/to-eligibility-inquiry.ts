import { givenFields, type RequestInfo } from '@insurance-verification/schema';
import type { EligibilityInquiry } from '../inquiry.ts';
import type { AddressParts, AnsweredProcedure, NameParts, Procedure } from '../parts/parts.ts';
import { parseBirthDate } from './patient-of.ts';

/** The data that an inquiry needs in addition to the request. */
export interface InquiryContext {
  /** The answer echoes it, which ties the answer to this request. */
  readonly requestId: string;
  /** TRN03: 10 characters. */
  readonly traceOrigin: string;
  /** NM109 of the payer: the clearinghouse's id for it. */
  readonly payerId: string;
  /** `YYYY-MM-DD` in the payer's zone. */
  readonly serviceDate: string;
  readonly askedAt: Date;
  /** What it asks and sends; what is absent is as in {@link leanInquiry}. */
  readonly content?: Partial<InquiryContent>;
}

/**
 * What one inquiry about a request asks, and what it sends in addition to the member id, the names, the birth date and the
 * provider's NPI. Each further field is one that a payer may find to be another than its own.
 */
export interface InquiryContent {
  /** EQ01, one EQ each. */
  readonly serviceTypes: readonly string[];
  /** EQ02, one EQ each. */
  readonly procedures: readonly Procedure[];
  /** Whether the patient's address is sent (2100C N3, N4), where it splits. */
  readonly hasAddress: boolean;
  /** Whether the provider's tax id is sent (2100B REF `TJ`), where it has nine digits. */
  readonly hasTin: boolean;
  /** 2100C DMG03; null: not sent. */
  readonly gender: string | null;
}

/** The service type of the whole plan. */
const WHOLE_PLAN = '30';

/** Asked in its place for dental codes: a medical plan answers 30 without a word about teeth. */
const DENTAL_CARE = '35';

/** The content of a first inquiry to a payer about which nothing else is known: one service type and no codes. */
export function leanInquiry(request: RequestInfo): InquiryContent {
  return {
    serviceTypes: [isDentalOnly(request) ? DENTAL_CARE : WHOLE_PLAN],
    procedures: [],
    hasAddress: false,
    hasTin: false,
    gender: null,
  };
}

/** Whether a request asks for codes, and all of them are dental. */
function isDentalOnly(request: RequestInfo): boolean {
  const procedures = askedProcedures(request);
  return procedures.length > 0 && procedures.every(({ qualifier }) => qualifier === 'AD');
}

/**
 * The 270 for a request. Placeholders (`unknown`, `1900-01-01`) and uncertain data are left out. It is lean, unless
 * `context.content` says more.
 */
export function toEligibilityInquiry(request: RequestInfo, context: InquiryContext): EligibilityInquiry {
  const { patient_info: patient, payer_info: payer, provider_info: provider } = request;
  const { requestId, traceOrigin, payerId, serviceDate, askedAt } = context;
  const content = { ...leanInquiry(request), ...context.content };
  const given = givenFields(patient);
  return {
    traceId: requestId,
    traceOrigin,
    askedAt,
    payer: { name: payer.name, id: payerId },
    provider: {
      ...providerNameOf(provider),
      npi: provider.npi.replaceAll(/\s/g, '') || null,
      tin: content.hasTin ? tinOf(provider.tin) : null,
    },
    subscriber: {
      name: given.includes('name') ? splitName(patient.name ?? '') : null,
      memberId: given.includes('subscriber_id') ? patient.subscriber_id.replaceAll(/\s/g, '') : null,
      birthDate: given.includes('dob') ? parseBirthDate(patient.dob ?? '') : null,
      ...(content.gender !== null && { gender: content.gender }),
      address: content.hasAddress ? splitAddress(patient.address ?? '') : null,
    },
    serviceDate,
    serviceTypes: content.serviceTypes,
    procedures: content.procedures.map(({ qualifier, code, modifiers }) => ({
      qualifier,
      code,
      modifiers,
    })),
  };
}

/** The service types that a request asks about, whichever of them its inquiries name. */
export function askedServiceTypes(request: RequestInfo): readonly string[] {
  const isDental = askedProcedures(request).some(({ qualifier }) => qualifier === 'AD');
  return isDental ? [WHOLE_PLAN, DENTAL_CARE] : [WHOLE_PLAN];
}

/** A person only when certain: payers go by the NPI, and a practice name cut in two names no one. */
function providerNameOf({ name, organization_name: organisation }: RequestInfo['provider_info']) {
  const parts = splitName(name);
  const isPerson =
    parts !== null && parts.first !== null && (showsPerson(name) || isOther(organisation, name));
  return isPerson
    ? { isPerson, name: parts }
    : { isPerson: false, name: { last: name.trim(), first: null, middle: null, suffix: null } };
}

/** Whether an organisation is given with the provider, who is then a person in it. */
function isOther(organisation: string | null | undefined, name: string): boolean {
  const given = organisation?.trim() ?? '';
  return given !== '' && given.toLowerCase() !== name.trim().toLowerCase();
}

/** Nine digits, however grouped. */
function tinOf(text: string | null | undefined): string | null {
  const digits = text?.replaceAll(/[\s-]/g, '') ?? '';
  return /^\d{9}$/.test(digits) ? digits : null;
}

/** A code of a request that can be asked for. */
export interface AskedProcedure extends Procedure {
  /** The spellings that the provider used. */
  readonly texts: readonly string[];
}

/** Procedures in one inquiry. With the plan and dental care, that is the number of EQs a 270 allows for a subscriber. */
const PROCEDURE_COUNT_MAX = 97;

/** The distinct codes of a request that a 270 can ask for, in request order. */
export function askedProcedures({ cpt_code_coverage: codes }: RequestInfo): readonly AskedProcedure[] {
  const byKey = new Map<string, Procedure & { texts: string[] }>();
  for (const text of new Set(codes)) {
    const procedure = procedureOfCode(text);
    if (procedure === null) continue;
    const key = [procedure.code, modifiersKey(procedure)].join('-');
    const known = byKey.get(key);
    if (known) known.texts.push(text);
    else if (byKey.size < PROCEDURE_COUNT_MAX) byKey.set(key, { ...procedure, texts: [text] });
  }
  return [...byKey.values()];
}

/** A comparison key for modifiers, ignoring case and order. Empty for none. */
export function modifiersKey({ modifiers }: Pick<Procedure, 'modifiers'>): string {
  if (modifiers.length === 0) return '';
  return modifiers
    .map((modifier) => modifier.toUpperCase())
    .toSorted()
    .join('-');
}

/** A dental code is followed by a tooth or a surface, never by a modifier. */
const DENTAL = /^D\d{4}$/;
/** CPT of categories I to III and PLA, and HCPCS level II, with up to four modifiers: `99213-25`, `99213:25`, `99213 25 59`. */
const MEDICAL = /^(\d{5}|\d{4}[FTU]|[A-CE-V]\d{4})((?:[\s:,-]+[A-Z\d]{2}){0,4})$/;

const CODE_LENGTH_MAX = 40;

/** The code as EQ02 writes it: `AD` for dental codes, `HC` for CPT and HCPCS. Null when it has neither shape. */
function procedureOfCode(text: string): Procedure | null {
  if (text.length > CODE_LENGTH_MAX) return null;
  const trimmed = text.trim().toUpperCase();
  if (DENTAL.test(trimmed)) return { qualifier: 'AD', code: trimmed, modifiers: [] };
  const [, code, behind = ''] = MEDICAL.exec(trimmed) ?? [];
  return code === undefined ? null : { qualifier: 'HC', code, modifiers: behind.match(/[A-Z\d]{2}/g) ?? [] };
}

/** A code with its modifiers, `99213-25`, or a range of codes, `70540–70559`. */
export function procedureText({
  code,
  lastCode,
  modifiers,
}: Pick<AnsweredProcedure, 'code' | 'lastCode' | 'modifiers'>): string {
  const text = [code, ...modifiers].join('-');
  return lastCode === null ? text : `${text}–${lastCode}`;
}

const PREFIXES = /^(dr|mr|mrs|ms|miss|prof|rev)\.?$/i;
const SUFFIXES = /^(jr|sr|ii|iii|iv|v)\.?$/i;
/** Degrees after a provider's name, not part of it. */
const DEGREES = /^(m\.?d|d\.?o|d\.?d\.?s|d\.?m\.?d|ph\.?d|r\.?n|n\.?p|p\.?a|pa-c|o\.?d|dpm|dc|esq|facs)\.?$/i;
/** Particles that belong to the last name after them. */
const PARTICLES =
  /^(d[aeiou]s?|del|della|der|den|du|la|las|le|los|van|von|vander|ter|ten|al|el|bin|ibn|st\.?|san|santa)$/i;

/**
 * Splits a name as people write it: `Jane Q. Public`, `Public, Jane Q`, `Ludwig van Beethoven Jr.`. Null for a blank
 * one; a single word is a last name. The string itself stays with the request: what is split wrongly can be compared.
 */
export function splitName(text: string): NameParts | null {
  const [before = [], ...after] = text.split(',').map(wordsOf);
  const isLastFirst = before.length > 0 && after.some((words) => words.some((word) => !isTitle(word)));
  const given = isLastFirst ? after.flat() : [...before, ...after.flat()];
  const suffix = [...before, ...after.flat()].find((word) => SUFFIXES.test(word) && word !== before[0]);
  const isName = (word: string, index: number) =>
    !(index === 0 && PREFIXES.test(word) && given.length > 1) &&
    !DEGREES.test(word) &&
    !(SUFFIXES.test(word) && word === suffix);
  const words = given.filter(isName);
  const parts = (last: readonly string[], [first, ...middle]: readonly string[]): NameParts => ({
    last: last.join(' '),
    first: first ?? null,
    middle: middle.length > 0 ? middle.join(' ') : null,
    suffix: suffix?.replace(/\.$/, '') ?? null,
  });
  if (isLastFirst)
    return parts(
      before.filter((word) => !SUFFIXES.test(word) || word !== suffix),
      words,
    );
  if (words.length === 0) return before.length === 0 ? null : parts(before, []);
  let lastStart = words.length - 1;
  // A leading particle is a first name: Van Morrison, Al Green.
  while (lastStart > 1 && PARTICLES.test(words[lastStart - 1] ?? '')) lastStart--;
  return parts(words.slice(lastStart), words.slice(0, lastStart));
}

/** Whether the text certainly names a person: by a title, a degree, or the last name first. */
export function showsPerson(text: string): boolean {
  const words = wordsOf(text.replaceAll(',', ' '));
  return words.length > 1 && words.some((word) => PREFIXES.test(word) || DEGREES.test(word));
}

function isTitle(word: string): boolean {
  return SUFFIXES.test(word) || DEGREES.test(word);
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** `12 Main St, Apt 4, Springfield, IL 62701`, possibly over several lines. Null for any other form: an address rarely helps. */
export function splitAddress(text: string): AddressParts | null {
  const parts = text
    .split(/[,\n]/)
    .map((part) => part.trim().replaceAll(/\s+/g, ' '))
    .filter((part) => part !== '');
  const place = /^([A-Za-z]{2}) (\d{5}(?:-?\d{4})?)$/.exec(parts.slice(-1)[0] ?? '');
  const [city, ...lines] = parts.slice(0, -1).toReversed();
  if (!place || city === undefined || lines.length === 0) return null;
  const [, state = '', postalCode = ''] = place;
  return {
    lines: lines.toReversed(),
    city,
    state: state.toUpperCase(),
    postalCode: postalCode.replace('-', ''),
  };
}
