import { codeOf, elementOf, type Segment } from '../tokenizing/segment.ts';

/** What a TA1 says of the interchange it acknowledges. */
export interface InterchangeAcknowledgement {
  /** TA101: ISA13 of the acknowledged interchange. */
  readonly controlNumber: string;
  /** TA104: `A` accepted, `E` accepted with errors, `R` rejected. */
  readonly status: string;
  /** TA105: `000` means no error. */
  readonly noteCode: string;
  readonly isAccepted: boolean;
}

export function readInterchangeAcknowledgement(segment: Segment): InterchangeAcknowledgement {
  const status = codeOf(segment, 4) ?? '';
  return {
    controlNumber: elementOf(segment, 1),
    status,
    noteCode: codeOf(segment, 5) ?? '',
    isAccepted: status === 'A' || status === 'E',
  };
}
