import { expect, test } from 'vitest';
import { draftOf, emptyDraft, isTyped, textOf, type WorkItem } from './draft.ts';

/** A request of the portal; what a draft does not read is left out. */
const ITEM = {
  request: { input: { patient_info: { subscriber_id: 'W1' } } },
  payer: { sheet: null },
} as unknown as WorkItem;

// Breaks when a colleague who takes a draft over loses what was heard of benefits.
test('a draft is read as it was saved, with its sheet and what is tied to its rows', () => {
  const draft = emptyDraft(ITEM);
  const coverages = draft.coverages.map((coverage) => ({
    ...coverage,
    sheet: { name: 'dental' as const, answers: { maximum: '1500', deductible: '-' } },
  }));
  const tied = {
    key: 'q1',
    coverage: coverages[0]?.key ?? '',
    field: 'sheet-maximum' as const,
    quote: 'Max',
  };
  const typed = { ...draft, coverages, evidence: [tied] };
  expect(draftOf(textOf(typed), ITEM)).toEqual(typed);
  expect(isTyped(draftOf(textOf(typed), ITEM), ITEM)).toBe(true);
});

// Breaks when the page of a new version takes nothing typed for something, or loses what an old one saved.
test('a draft that was saved before there were sheets has none', () => {
  const draft = emptyDraft(ITEM);
  const earlier = draft.coverages.map(({ sheet: _none, ...coverage }) => coverage);
  const read = draftOf(JSON.stringify({ form: 1, ...draft, coverages: earlier }), ITEM);
  expect(read).toEqual(draft);
  expect(isTyped(read, ITEM)).toBe(false);
});
