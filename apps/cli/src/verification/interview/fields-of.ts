import { ERROR_REASONS, FailureReason, type WorkItem } from '@insurance-verification/schema';
import { coverageFields } from './coverage-fields.ts';
import type { Draft } from './draft.ts';
import { choiceField, type Field, textField } from './field.ts';

/** The questions that the answers so far call for, in order. */
export function fieldsOf(item: WorkItem, draft: Draft): Field[] {
  const kind = choiceField(draft, 'kind', { name: 'What came of it?', path: [] }, [
    { name: 'The payer answered (Inactive is an answer)', value: 'result' },
    { name: 'This channel cannot find out', value: 'fail' },
    { name: 'Give it back untried', value: 'release' },
  ]);
  const reference = textField(
    draft,
    'reference',
    { name: 'Reference number', path: ['reference'] },
    { hint: 'of the call or inquiry; empty: none' },
  );
  switch (draft.kind) {
    case 'result': {
      const { coverages } = draft;
      const ofCoverages = coverages.flatMap((coverage, index) =>
        coverageFields(item, coverage, index, coverages.length),
      );
      const note = textField(
        draft,
        'note',
        { name: 'Note for colleagues', path: ['note'] },
        { hint: 'the provider does not see it; empty: none' },
      );
      return [kind, ...ofCoverages, reference, note];
    }
    case 'fail':
      return [
        kind,
        choiceField(
          draft,
          'errorReason',
          { name: 'Why?', path: ['error_reason'] },
          FailureReason.options.map((slug) => ({
            name: slug,
            value: slug,
            description: ERROR_REASONS[slug].sentence,
          })),
        ),
        reference,
        textField(draft, 'note', { name: 'Note for the next verifier', path: ['note'] }),
        choiceField(draft, 'isFinal', { name: 'Can another channel find out?', path: ['final'] }, [
          { name: 'Perhaps: it goes to the next channel', value: false },
          { name: 'Certainly not: the request ends here', value: true },
        ]),
      ];
    case 'release':
      return [kind, textField(draft, 'reason', { name: 'Why, for the next verifier', path: ['reason'] })];
    default:
      return [kind];
  }
}
