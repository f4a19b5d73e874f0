import type { Transaction } from './envelope/read-interchanges.ts';
import { codeOf, elementOf, type Segment, valueOf } from './tokenizing/read-header.ts';

/** What a 999 (005010X231A1) reports about the group it acknowledges. The inquiry values it quotes are not read. */
export interface ImplementationAcknowledgement {
  /** AK102: GS06 of the acknowledged group; null when not sent. */
  readonly groupControlNumber: string | null;
  /** AK901: `A` accepted, `E` accepted with errors, `P` partially, `R`, `M`, `W`, `X` rejected; null when not sent. */
  readonly groupStatus: string | null;
  readonly isAccepted: boolean;
  /** IK3, IK4 and IK5: the faulty segment and element, and the code of the fault. */
  readonly errors: readonly AcknowledgedError[];
}

/** One IK3, IK4 or IK5 with a code. */
export interface AcknowledgedError {
  /** IK301, the faulty segment; null for the whole transaction. */
  readonly segmentId: string | null;
  /** IK302, counted from ST as 1. */
  readonly segmentNumber: number | null;
  /** IK401-1; null for the whole segment. */
  readonly elementNumber: number | null;
  /** IK304, IK403 or IK502. */
  readonly code: string;
}

/** Reads a 999, or a 997: its AK3 to AK5 have the same elements. */
export function readImplementationAcknowledgement({ segments }: Transaction): ImplementationAcknowledgement {
  let groupControlNumber: string | null = null;
  let groupStatus: string | null = null;
  const errors: AcknowledgedError[] = [];
  let segmentId: string | null = null;
  let segmentNumber: number | null = null;
  for (const segment of segments) {
    const add = (code: string, elementNumber: number | null) => {
      if (code !== '') errors.push({ segmentId, segmentNumber, elementNumber, code });
    };
    switch (segment.id) {
      case 'AK1':
        groupControlNumber = valueOf(segment, 2);
        break;
      case 'IK3':
      case 'AK3':
        segmentId = valueOf(segment, 1);
        segmentNumber = wholeNumber(elementOf(segment, 2));
        add(elementOf(segment, 4), null);
        break;
      case 'IK4':
      case 'AK4':
        add(elementOf(segment, 3), wholeNumber(elementOf(segment, 1).split(segment.delimiters.component)[0]));
        break;
      case 'IK5':
      case 'AK5':
        segmentId = segmentNumber = null;
        add(elementOf(segment, 2), null);
        break;
      case 'AK9':
        groupStatus = valueOf(segment, 1);
        break;
      default: // AK2 and CTX add nothing to their neighbours.
    }
  }
  const isAccepted = groupStatus === 'A' || groupStatus === 'E';
  return { groupControlNumber, groupStatus, isAccepted, errors };
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** What a TA1 reports about the interchange it acknowledges. */
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
