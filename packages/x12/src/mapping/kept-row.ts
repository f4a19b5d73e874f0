import type { Benefit as FoundBenefit } from '@insurance-verification/schema';
import type { Benefit } from '../answer/eligibility-answer.ts';
import { EligibilityAnswerReader } from '../answer/read-eligibility-answer.ts';
import { DEFAULT_DELIMITERS, type Segment } from '../tokenizing/read-header.ts';
import { readBenefitRow } from './read-benefit-row.ts';

/** Loop 2110 as it was sent. It is interpreted at each reading, so that kept rows gain from a better reader. */
export interface KeptRow {
  /** The position of its EB among those that count for the patient, from 0. */
  readonly row: number;
  readonly loop: 'patient' | 'subscriber';
  /** The number of the inquiry that it answers, from 1; absent where the payer was asked once. */
  readonly inquiry?: number;
  /** Between elements, between components, between repetitions where there is one. */
  readonly delimiters: string;
  /** As they were sent, without their terminators. */
  readonly segments: readonly string[];
}

export function keptRow(
  { segments }: Benefit,
  { row, loop, inquiry }: Pick<KeptRow, 'row' | 'loop' | 'inquiry'>,
): KeptRow {
  const { element, component, repetition } = segments[0]?.delimiters ?? DEFAULT_DELIMITERS;
  return {
    row,
    loop,
    ...(inquiry !== undefined && { inquiry }),
    delimiters: `${element}${component}${repetition ?? ''}`,
    segments: segments.map(({ text }) => text),
  };
}

/** Interprets kept rows. */
export function readKeptRows(rows: readonly KeptRow[]): FoundBenefit[] {
  return rows.map((kept) => {
    const reader = new EligibilityAnswerReader('', []);
    for (const segment of [SUBSCRIBER, ...segmentsOf(kept)]) reader.add(segment);
    const benefit = reader.answer.payers[0]?.providers[0]?.subscribers[0]?.benefits[0];
    if (!benefit) throw new Error('A kept row begins with an EB');
    return readBenefitRow(benefit, kept);
  });
}

/** The loop that a row is in. */
const SUBSCRIBER: Segment = {
  kind: 'segment',
  id: 'HL',
  text: 'HL*1**22',
  elements: ['HL', '1', '', '22'],
  position: 0,
  delimiters: DEFAULT_DELIMITERS,
};

function segmentsOf({ delimiters, segments }: KeptRow): Segment[] {
  const [element = '*', component = ':', repetition = null] = delimiters;
  return segments.map((text, position) => {
    const elements = text.split(element);
    return {
      kind: 'segment',
      id: (elements[0] ?? '').trim().toUpperCase(),
      text,
      elements,
      position,
      delimiters: { ...DEFAULT_DELIMITERS, element, component, repetition },
    };
  });
}

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

/**
 * The lists that all items have under one name, joined. As `flatMap`, where nearly all of them are empty: over the
 * benefits of a long answer that took a third of its reading.
 */
export function gathered<K extends string, T extends { readonly [Name in K]: readonly unknown[] }>(
  items: readonly T[],
  name: K,
): ItemOf<T[K]>[] {
  const all: unknown[] = [];
  for (const item of items) {
    const list = item[name];
    if (list.length > 0) for (const one of list) all.push(one);
  }
  return all as ItemOf<T[K]>[];
}
