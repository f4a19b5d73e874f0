import type { RequestInfo } from '@insurance-verification/schema';
import type { AnswerContext } from '../answer-context.ts';
import { nameText } from '../member/patient-of.ts';
import type { PlacedMember } from '../member/placed-member.ts';
import { isSamePlain, plainText } from '../plain-text.ts';

/** NM103 of loop 2100A where it is a configured name; else the payer that was asked. */
export function payerNameOf(
  { payer }: PlacedMember,
  { payerNames, request }: AnswerContext,
): RequestInfo['payer_info']['name'] {
  const called = plainText(payer.party?.name?.last ?? '');
  return payerNames.find((name) => plainText(name) === called) ?? request.payer_info.name;
}

/** What the payer calls itself, where that is another name. */
export function payerNotes({ payer }: PlacedMember, payerName: string): string[] {
  const called = payer.party?.name;
  if (!called || isSamePlain(nameText(called), payerName)) return [];
  return [`The payer calls itself ${nameText(called)}.`];
}
