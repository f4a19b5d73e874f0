import {
  type ImplementationAcknowledgement,
  type InterchangeAcknowledgement,
  readImplementationAcknowledgement,
  readInterchangeAcknowledgement,
} from '../acknowledgements.ts';
import { withoutSoftBreaks } from '../envelope/quoted-printable.ts';
import { readEnvelopes, type SegmentTaker, type Transaction } from '../envelope/read-interchanges.ts';
import type { X12Fault } from '../tokenizing/x12-fault.ts';
import type { EligibilityAnswer } from './eligibility-answer.ts';
import { EligibilityAnswerReader } from './read-eligibility-answer.ts';

/** A payer's complete answer to a 270. */
export interface PayerAnswer {
  /** The 271s. */
  readonly answers: readonly EligibilityAnswer[];
  /** The 999s. */
  readonly acknowledgements: readonly ImplementationAcknowledgement[];
  /** The TA1s. */
  readonly interchangeAcknowledgements: readonly InterchangeAcknowledgement[];
  /** Faults of the text. `isWarning` decides which of them leave the rest intact. */
  readonly faults: readonly X12Fault[];
}

/** Reads a payer's answer to a 270: 271s, 999s, TA1s, or none. Never throws, whatever the text. */
export function readPayerAnswer(text: string): PayerAnswer {
  const answers: EligibilityAnswer[] = [];
  const acknowledging: Transaction[] = [];
  const faultsOfAnswers: X12Fault[] = [];
  const { interchanges, faults } = readEnvelopes(withoutSoftBreaks(text), (transaction) => {
    if (transaction.id === '271') {
      const reader = new EligibilityAnswerReader(transaction.controlNumber, faultsOfAnswers);
      answers.push(reader.answer);
      return reader;
    }
    if (transaction.id !== '999' && transaction.id !== '997') return UNREAD;
    acknowledging.push(transaction);
    return { add: (segment) => void transaction.segments.push(segment) };
  });
  return {
    answers,
    acknowledgements: acknowledging.map(readImplementationAcknowledgement),
    interchangeAcknowledgements: interchanges.flatMap((interchange) =>
      interchange.acknowledgements.map(readInterchangeAcknowledgement),
    ),
    faults: [...faults, ...faultsOfAnswers],
  };
}

/** Transactions of other kinds are ignored. */
const UNREAD: SegmentTaker = { add: () => undefined };
