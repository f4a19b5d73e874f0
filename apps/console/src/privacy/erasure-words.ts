import type { ErasedBecause } from '@insurance-verification/schema';

/** Why the data of a request is gone: the choice of who asks, and the end of “The data was erased on …,”. */
export const ERASED: Readonly<Record<ErasedBecause, { readonly word: string; readonly because: string }>> = {
  retention: { word: 'Retention over', because: 'when its retention was over' },
  wrong_patient: { word: 'Wrong patient', because: 'because it was about the wrong patient' },
  wrong_recipient: { word: 'Wrong recipient', because: 'because it went to the wrong recipient' },
  posted_twice: { word: 'Posted twice', because: 'because it was posted twice' },
  patient_asked: { word: 'The patient asked', because: 'because the patient asked for it' },
  not_authorized: { word: 'Asked without permission', because: 'because it was asked without permission' },
};
