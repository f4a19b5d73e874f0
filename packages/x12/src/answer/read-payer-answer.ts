import {
  type ImplementationAcknowledgement,
  readImplementationAcknowledgement,
} from '../acknowledgement/read-999.ts';
import {
  type InterchangeAcknowledgement,
  readInterchangeAcknowledgement,
} from '../acknowledgement/read-ta1.ts';
import { readInterchanges } from '../envelope/read-interchanges.ts';
import type { X12Fault } from '../tokenizing/x12-fault.ts';
import type { EligibilityAnswer } from './eligibility-answer.ts';
import { readEligibilityAnswer } from './read-eligibility-answer.ts';

/** All that a payer sent back for a 270. */
export interface PayerAnswer {
  /** The 271s. */
  readonly answers: readonly EligibilityAnswer[];
  /** The 999s. */
  readonly acknowledgements: readonly ImplementationAcknowledgement[];
  /** The TA1s. */
  readonly interchangeAcknowledgements: readonly InterchangeAcknowledgement[];
  /** What is wrong with the text. `isWarning` tells which of them leave what was read whole. */
  readonly faults: readonly X12Fault[];
}

/** Reads what a payer sent back for a 270: 271s, 999s, TA1s, or none of it. Never throws, whatever the text. */
export function readPayerAnswer(text: string): PayerAnswer {
  const { interchanges, faults: envelopeFaults } = readInterchanges(text);
  const faults = [...envelopeFaults];
  const answers: EligibilityAnswer[] = [];
  const acknowledgements: ImplementationAcknowledgement[] = [];
  for (const { groups } of interchanges) {
    for (const transaction of groups.flatMap((group) => group.transactions)) {
      if (transaction.id === '271') {
        const read = readEligibilityAnswer(transaction);
        answers.push(read.answer);
        for (const fault of read.faults) faults.push(fault);
      }
      if (transaction.id === '999' || transaction.id === '997')
        acknowledgements.push(readImplementationAcknowledgement(transaction));
    }
  }
  const interchangeAcknowledgements = interchanges.flatMap((interchange) =>
    interchange.acknowledgements.map(readInterchangeAcknowledgement),
  );
  return { answers, acknowledgements, interchangeAcknowledgements, faults };
}
