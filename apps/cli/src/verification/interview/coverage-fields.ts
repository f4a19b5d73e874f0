import type { WorkItem } from '@insurance-verification/schema';
import { visible } from '../../terminal/visible.ts';
import { type CodeAnswers, askCodes, codesText } from '../prompts/ask-codes.ts';
import { BACK } from '../prompts/asking.ts';
import type { CoverageDraft } from './draft.ts';
import { choiceField, dateField, type Field, textField } from './field.ts';

/** The questions about one coverage. */
export function coverageFields(item: WorkItem, draft: CoverageDraft, index: number, count: number): Field[] {
  const { patient_info: patient, cpt_code_coverage: codes } = item.request.input;
  const at = (name: string, ...path: string[]) => ({
    name: count > 1 ? `Coverage ${index + 1}: ${name}` : name,
    path: ['insurance_data', index, ...path],
  });
  const requested = [patient.subscriber_id, patient.dob].flatMap((text) => (text ? [visible(text)] : []));
  return [
    choiceField(draft, 'status', at('Eligibility', 'plan_info', 'eligibility_status'), [
      { name: 'Active', value: 'Active' },
      { name: 'Inactive', value: 'Inactive' },
      { name: 'The payer did not say', value: null },
    ]),
    textField(draft, 'plan', at('Plan name', 'plan_info', 'plan_name')),
    dateField(draft, 'start', at('First day of coverage', 'plan_info', 'start_date'), (day) =>
      draft.end && day > draft.end ? `That is after the last day, ${draft.end}.` : undefined,
    ),
    dateField(draft, 'end', at('Last day of coverage', 'plan_info', 'end_date'), (day) =>
      draft.start && day < draft.start ? `That is before the first day, ${draft.start}.` : undefined,
    ),
    ...(codes && codes.length > 0
      ? [codesField(draft, codes, at('Procedure codes', 'plan_info', 'cpt_code_coverage'))]
      : []),
    choiceField(draft, 'isAsRequested', at('Patient as the payer has them', 'patient_info'), [
      { name: `As in the request: ${requested.join(', ')}`, value: true },
      { name: 'With another member id or date of birth', value: false },
    ]),
    ...(draft.isAsRequested === false
      ? [
          textField(
            draft,
            'subscriberId',
            at('Member id as the payer has it', 'patient_info', 'subscriber_id'),
            {
              hint: `asked for: ${visible(patient.subscriber_id)}`,
              faultOf: (text) => (text === '' ? 'Expected the member id.' : undefined),
            },
          ),
          textField(draft, 'dob', at('Date of birth as the payer has it', 'patient_info', 'dob'), {
            hint: 'YYYY-MM-DD; empty: not told',
          }),
        ]
      : []),
    textField(draft, 'notes', at('What else the payer said', 'notes'), {
      hint: 'for the provider; empty: nothing',
    }),
  ];
}

function codesField(
  draft: CoverageDraft,
  codes: readonly string[],
  facts: Pick<Field, 'name' | 'path'>,
): Field {
  const untold = (): CodeAnswers => codes.map((code) => ({ code, answer: 'not told' }));
  return {
    ...facts,
    isAnswered: () => draft.codes !== undefined,
    told: () => (draft.codes === undefined ? '-' : codesText(draft.codes)),
    ask: async (asking) => {
      const answer = await askCodes({ message: facts.name, before: draft.codes ?? untold() }, asking);
      if (answer === BACK) return false;
      draft.codes = answer;
      return true;
    },
  };
}
