import type { WorkItem } from '@insurance-verification/schema';
import { fields } from '../../terminal/table.ts';
import { visible } from '../../terminal/visible.ts';
import type { Draft } from './draft.ts';
import { fieldsOf } from './fields-of.ts';

/** The answers so far, one field per line, below the patient and the payer. */
export function summaryLines(item: WorkItem, draft: Draft): string[] {
  const { patient_info: patient, payer_info: payer } = item.request.input;
  const whom = [patient.name, patient.subscriber_id, patient.dob].flatMap((text) =>
    text ? [visible(text)] : [],
  );
  const answered = fieldsOf(item, draft).filter((field) => field.isAnswered());
  return [
    '',
    `${whom.join(', ')}, at ${visible(payer.name)}:`,
    ...fields(answered.map((field) => [field.name, field.told()])).map((line) => `  ${line}`),
    '',
  ];
}
