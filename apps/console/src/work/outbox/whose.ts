import { initialsOf } from '@insurance-verification/schema';
import type { WorkItem } from '../draft/draft.ts';

/** `J. D. at Payer Plan 1`: enough for the person who typed it, and no name on a page that others may see. */
export function whose({ request }: WorkItem): string {
  const { patient_info: patient, payer_info: payer } = request.input;
  return `${initialsOf(patient.name) ?? 'A patient without a name'} at ${payer.name}`;
}
