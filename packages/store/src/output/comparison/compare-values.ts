import type {
  ComparedValue,
  RequestModel,
  ResponseModel,
  ValueDifference,
} from '@insurance-verification/schema';
import { findingOf, type ResultFinding } from '../apply-findings.ts';
import { COMPARED_FIELDS, type ComparedField, type ComparisonKind } from './compared-fields.ts';

interface Compared {
  /** Null without a request to compare with. */
  readonly asked: Pick<RequestModel, 'request_id' | 'input' | 'received_timestamp'> | null;
  /** Null without a result. */
  readonly standing: ResultFinding | null;
  readonly offered: ResponseModel;
}

/**
 * Compares the request, the current result and the output value by value: the request's values first, then each
 * coverage's.
 */
export function compareValues({ asked, standing, offered }: Compared): ComparedValue[] {
  const coverageCount = Math.max(offered.insurance_data.length, standing?.insuranceData.length ?? 0);
  const models: Models = {
    asked: asked && { request: asked },
    standing: standing && { request: resultOf(standing), insurance_data: standing.insuranceData },
    offered: { ...offered, request: { ...offered.request, ...resultOf(findingOf(offered)) } },
  };
  const ofCoverages = Array.from({ length: coverageCount }, (_, index) =>
    OF_COVERAGE.map(([path, [kind, name, askedPath]]) => {
      const fullName = coverageCount > 1 ? `${name}, coverage ${index + 1}` : name;
      return comparedField(models, path.replace('*', String(index)), [kind, fullName, askedPath]);
    }),
  );
  return [
    ...OF_REQUEST.map(([path, field]) => comparedField(models, path, field)),
    ...ofCoverages.flat(),
  ].filter((value) => value.asked !== null || value.standing !== null || value.offered !== null);
}

const FIELDS = Object.entries<ComparedField>(COMPARED_FIELDS);
const OF_COVERAGE = FIELDS.filter(([path]) => path.startsWith('/insurance_data/'));
const OF_REQUEST = FIELDS.filter(([path]) => path.startsWith('/request/'));

/** Of a request block, only state and error reason belong to the result: in a request they are its progress. */
const isOfResult = (path: string) =>
  path.startsWith('/insurance_data/') || path === '/request/state' || path === '/request/error_reason';

/**
 * The state and reason that a finding gives a request block, without the failure of another service's webhook. Null
 * without a finding.
 */
const resultOf = (finding: ResultFinding | null) =>
  finding && { state: finding.outcome, error_reason: finding.errorReason };

interface Models {
  readonly asked: object | null;
  readonly standing: object | null;
  readonly offered: object;
}

/** Compares a value of the output with the current result, and with the request where that has the same field. */
function comparedField(
  models: Models,
  path: string,
  [kind, name, askedOfResult]: ComparedField,
): ComparedValue {
  const offered = valueAt(models.offered, path);
  const askedPath = isOfResult(path) ? askedOfResult : path;
  const asked = askedPath === undefined ? undefined : valueAt(models.asked, askedPath);
  // A payer may know more of a patient than the request, or less. A repeated request may not differ.
  const isAsked = isOfResult(path)
    ? displayText(asked) !== null && displayText(offered) !== null
    : models.asked !== null;
  const isStanding = isOfResult(path) && models.standing !== null;
  const standing = isStanding ? valueAt(models.standing, path) : undefined;
  const fromAsked = isAsked ? differenceOf(kind, asked, offered) : NOTHING;
  const fromStanding = isStanding ? differenceOf(kind, standing, offered) : NOTHING;
  return {
    field: path,
    name,
    asked: isAsked ? shownOf(path, displayText(asked)) : null,
    standing: displayText(standing),
    offered: displayText(offered),
    asked_difference: fromAsked.difference,
    asked_places: fromAsked.places,
    standing_difference: fromStanding.difference,
    standing_places: fromStanding.places,
  };
}

const NOTHING: Difference = { difference: 'none', places: [] };

/**
 * An anonymous output may have thousands of coverages, each compared with the request: a long text repeated in all of
 * them would be many megabytes.
 */
const ASKED_LENGTH_MAX = 500;

const shownOf = (path: string, asked: string | null) =>
  asked !== null && asked.length > ASKED_LENGTH_MAX && path.startsWith('/insurance_data/')
    ? `${asked.slice(0, ASKED_LENGTH_MAX)}…`
    : asked;

/** The value at a JSON pointer. The models' names need no escapes. */
function valueAt(model: unknown, path: string): FieldValue {
  let value = model;
  for (const key of path.slice(1).split('/'))
    value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value as FieldValue;
}

/** As the review shows it. An empty list of codes is shown as "none": it is not the same as no list. */
const displayText = (value: FieldValue): string | null =>
  typeof value === 'object' && value !== null
    ? value.length === 0
      ? 'none'
      : value.join(', ')
    : (value ?? null);

/** A value as a model has it; a list of codes is one value. */
export type FieldValue = string | readonly string[] | null | undefined;

export interface Difference {
  readonly difference: ValueDifference;
  /** Which letters and digits differ, as `ComparedValue` counts them. */
  readonly places: number[];
}

/** How an offered value differs from another one, by the kind of its field and never by the look of the text. */
export function differenceOf(kind: ComparisonKind, other: FieldValue, offered: FieldValue): Difference {
  if (kind === 'own') return plain('none');
  const [one, two] = [orNull(other), orNull(offered)];
  if (one === null) return plain(two === null ? 'none' : 'added');
  if (two === null) return plain('missing');
  const [text, offeredText] = [textOf(one), textOf(two)];
  if (text === offeredText) return plain('none');
  return kind !== 'codes' && (isLong(text) || isLong(offeredText))
    ? plain('different')
    : FINDERS[kind](text, offeredText);
}

/**
 * Longer than any name, id or date: compared as a whole. An output may have thousands of coverages, and each is
 * compared with the request, whose texts may be as long as a body.
 */
const LENGTH_MAX = 500;
const WORD_COUNT_MAX = 20;

const isLong = (text: string) =>
  text.length > LENGTH_MAX || (text.match(/[\p{L}\p{M}\p{N}]+/gu)?.length ?? 0) > WORD_COUNT_MAX;

/** An empty text says as little as none; an empty list says that no code is covered. */
const orNull = (value: FieldValue) => (value === undefined || value === '' ? null : value);

const textOf = (value: string | readonly string[]): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

const plain = (difference: ValueDifference): Difference => ({ difference, places: [] });

type Finder = (one: string, two: string) => Difference;

const FINDERS: Readonly<Record<Exclude<ComparisonKind, 'own'>, Finder>> = {
  exact: () => plain('different'),
  codes: (one, two) => plain(sortedCodes(one) === sortedCodes(two) ? 'form' : 'different'),
  instant: (one, two) => plain(Date.parse(one) === Date.parse(two) ? 'form' : 'different'),
  date: (one, two) => {
    const [parts, others] = [partsOf(one), partsOf(two)];
    if (parts.join('-') === others.join('-')) return plain('form');
    return namingPlaces(one, two, areNeighboursSwapped(parts, others));
  },
  id: (one, two) => (bare(one).join('') === bare(two).join('') ? plain('form') : namingPlaces(one, two)),
  name: (one, two) => {
    // A digit off is another house, and "1 12th" and "11 2th" are written alike but for a space.
    if (numbersOf(one) !== numbersOf(two)) return plain('different');
    const [letters, others] = [bare(one), bare(two)];
    if (letters.join('') === others.join('')) return plain('form');
    const isNear =
      wordsOf(one).toSorted().join(' ') === wordsOf(two).toSorted().join(' ') ||
      areWithin(letters, others, editCountMax(letters, others));
    return plain(isNear ? 'near' : 'different');
  },
};

const sortedCodes = (json: string) => JSON.stringify((JSON.parse(json) as string[]).toSorted());

/** Only the letters and digits, in lower case. A combining mark stays with its letter. */
const bare = (text: string): string[] =>
  Array.from(text.normalize().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, ''), (letter) => letter.toLowerCase());

const wordsOf = (text: string): string[] =>
  text
    .normalize()
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean);

const numbersOf = (text: string): string => (text.match(/\p{N}+/gu) ?? []).join(' ');

/** The year, the month and the day, in the order and the words in which they are written. */
const partsOf = (date: string): string[] => wordsOf(date).map((part) => part.replace(/^0+(?=.)/, ''));

/** Of a short name two letters are half of it: one for every four, and two at most. */
const editCountMax = (one: readonly string[], two: readonly string[]): number =>
  Math.min(2, Math.floor(Math.min(one.length, two.length) / 4));

function namingPlaces(text: string, offered: string, isSwapped = false): Difference {
  const [one, two] = [bare(text), bare(offered)];
  return {
    difference: isSwapped || areNeighboursSwapped(one, two) ? 'swapped' : 'different',
    places: placesOf(one, two),
  };
}

const PLACES_MAX = 8;

/** Where the longer of the two has something else or something more, from 1. Empty when most of it differs. */
function placesOf(one: readonly string[], two: readonly string[]): number[] {
  const [shorter, longer] = one.length < two.length ? [one, two] : [two, one];
  const extraCount = longer.length - shorter.length;
  const places: number[] = [];
  if (extraCount === 0) {
    for (const [index, letter] of longer.entries()) if (letter !== shorter[index]) places.push(index + 1);
  } else {
    const from = longer.findIndex((letter, index) => letter !== shorter[index]);
    if (longer.slice(from + extraCount).join('') !== shorter.slice(from).join('')) return [];
    for (let index = from; index < from + extraCount; index += 1) places.push(index + 1);
  }
  return places.length > Math.min(PLACES_MAX, longer.length / 2) ? [] : places;
}

/** Whether two neighbours changed places, and nothing else. */
function areNeighboursSwapped(one: readonly string[], two: readonly string[]): boolean {
  const at = one.findIndex((part, index) => part !== two[index]);
  return (
    one.length === two.length &&
    at >= 0 &&
    one.every((part, index) => part === two[index === at ? at + 1 : index === at + 1 ? at : index])
  );
}

/** Whether at most `count` letters must be changed, added or left out to make one of the other. */
function areWithin(one: readonly string[], two: readonly string[], count: number): boolean {
  const at = one.findIndex((letter, index) => letter !== two[index]);
  const from = at === -1 ? one.length : at;
  const [left, right] = [one.slice(from), two.slice(from)];
  if (left.length === 0 || right.length === 0) return left.length + right.length <= count;
  if (count === 0) return false;
  return (
    areWithin(left.slice(1), right.slice(1), count - 1) ||
    areWithin(left, right.slice(1), count - 1) ||
    areWithin(left.slice(1), right, count - 1)
  );
}
