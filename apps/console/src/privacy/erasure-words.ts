import type { ErasedBecause, ErasureReason } from '@insurance-verification/schema';

/** Why a request is erased. */
export const REASONS: Readonly<Record<ErasureReason, string>> = {
  wrong_patient: 'Wrong patient',
  wrong_recipient: 'Wrong recipient',
  posted_twice: 'Posted twice',
  patient_asked: 'The patient asked',
  not_authorized: 'It was not allowed to be asked',
};

/** Why the data of a request is gone, at the end of “The data was erased on …,”. */
export const BECAUSE: Readonly<Record<ErasedBecause, string>> = {
  retention: 'when its retention was over',
  wrong_patient: 'because it was about the wrong patient',
  wrong_recipient: 'because it went to the wrong recipient',
  posted_twice: 'because it was posted twice',
  patient_asked: 'because the patient asked for it',
  not_authorized: 'because it was not allowed to be asked',
};
