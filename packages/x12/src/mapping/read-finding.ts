import type { ErrorReason, InsurancePlanData, RequestInfo } from '@insurance-verification/schema';
import type { Member, Rejection } from '../answer/eligibility-answer.ts';
import { NOBODY } from '../answer/open-loops.ts';
import { type PayerAnswer, readPayerAnswer } from '../answer/read-payer-answer.ts';
import { NONE } from '../parts/parts.ts';
import { isWarning } from '../tokenizing/x12-fault.ts';
import { type JoinedAnswers, laterCodes, laterRejections, withLaterRows } from './asked-inquiries.ts';
import { chooseMember, sameMembers } from './choose-member.ts';
import { CODE_COUNT_MAX, payerCodesOf } from './codes.ts';
import { type Coverage, coveragesOf } from './coverages/coverages-of.ts';
import { isOfPlan } from './coverages/deciding-rows.ts';
import { entriesOf, outOfNetworkEntry } from './entries-of.ts';
import { foundBenefits, type FoundBenefits } from './found-benefits.ts';
import type { ReadEntry } from './insurance-entry.ts';
import { gathered } from './kept-row.ts';
import { allMembers, hasAnswer, ONE_LOOP, type PlacedMember, withTrace } from './placed-member.ts';
import { OUT_OF_NETWORK, reasonOfRejection } from './rejection-reasons.ts';

type NoResult = Extract<Finding, { kind: 'no_result' }>;

/**
 * Reads the outcome from a payer's answer to a 270. Never throws, whatever the text.
 *
 *     cut, misnumbered, no X12                     → payer_response_invalid
 *     no 271, but a 999 or TA1                     → payer_response_invalid
 *     a 271 that echoes another trace              → payer_response_invalid
 *     the patient is not among the members         → as chooseMember says
 *     an outage stated, and no active coverage     → payer_unavailable: never Inactive
 *     a coverage with a status                     → result
 *     a rejection 35                               → result: out of network
 *     any other rejection                          → its reason
 *     nothing but U, V, W, R or benefits           → requires_other_channel
 */
export function readFinding(text: string, context: AnswerContext): Finding {
  return readAnswer(text, context).finding;
}

/** An answer to an inquiry as it reads by itself. */
export interface ReadAnswer {
  readonly found: FoundMember;
  readonly finding: Finding;
}

/** Reads an answer as `readFinding` does, and keeps its rows for what else is to be read from them. */
export function readAnswer(text: string, context: AnswerContext): ReadAnswer {
  const found = findMember(text, context);
  return { found, finding: found.kind === 'ended' ? found.finding : readFound(found, context) };
}

/** The member that an answer is about, with the rejections in the loops above; or the outcome without one. */
type FoundMember =
  | { readonly kind: 'found'; readonly placed: PlacedMember; readonly above: readonly Rejection[] }
  | {
      readonly kind: 'ended';
      readonly finding: Finding;
      /** Whether it is about members who are not, or not certainly, the patient. */
      readonly isOfAnother: boolean;
    };

/** Finds the patient in an answer. */
function findMember(text: string, context: AnswerContext): FoundMember {
  const answer = readPayerAnswer(text);
  const fault = answer.faults.find((one) => !isWarning(one));
  if (fault) return ended(invalid([`X12 ${fault.code}`], fault.code === 'interchange_missing'));
  if (answer.answers.length === 0) return ended(unanswered(answer));

  const members = allMembers(answer);
  const ours = withTrace(members, context.requestId);
  if (members.some(hasAnswer) && !ours.some(hasAnswer)) return ended(invalid(['TRN']));
  const above = rejectionsAbove(answer);
  if (!ours.some(hasAnswer))
    return ended(above.length > 0 ? readAbove(answer, above, context) : invalid(['no EB']));
  const chosen = chooseMember(ours, context.request);
  if (chosen.kind === 'chosen') return { kind: 'found', placed: chosen.placed, above };
  const finding = { ...noResult(chosen.reason, [chosen.code], false), isUnsure: chosen.isUnsure };
  return { kind: 'ended', finding, isOfAnother: true };
}

function ended(finding: Finding): FoundMember {
  return { kind: 'ended', finding, isOfAnother: false };
}

/** Reads what an answer says of the member, with what the answers to the other inquiries add. */
export function readFound(
  { placed, above }: Extract<FoundMember, { kind: 'found' }>,
  context: AnswerContext,
  joined: JoinedAnswers | null = null,
): Finding {
  return readMember(placed, above, context, joined);
}

/** For answers with nothing below the payer and provider loops. */
function readAbove(answer: PayerAnswer, above: readonly Rejection[], context: AnswerContext): Finding {
  const failure = above.find(({ code }) => code !== OUT_OF_NETWORK);
  if (failure) return rejected([failure, ...above.filter((one) => one !== failure)]);
  const members = allMembers(answer);
  const ours = withTrace(members, context.requestId);
  if (members.length > 0 && ours.length === 0) return invalid(['TRN']);
  const placed = sameMembers(ours, context.request)[0] ?? nobody(answer);
  return placed ? outOfNetwork(placed, above, context) : invalid(['no EB']);
}

/** The loops above a patient whom the answer does not mention. */
function nobody({ answers }: PayerAnswer): PlacedMember | null {
  const answer = answers.find(({ payers }) => payers.length > 0);
  const payer = answer?.payers[0];
  if (!answer || !payer) return null;
  const subscriber = { ...NOBODY, dependents: NONE };
  return { answer, payer, provider: null, subscriber, member: subscriber, ...ONE_LOOP, notes: NONE };
}

function outOfNetwork(
  placed: PlacedMember,
  rejections: readonly Rejection[],
  context: AnswerContext,
  joined: JoinedAnswers | null = null,
): Finding {
  return result(placed, [outOfNetworkEntry(placed, context, joined)], rejections, context);
}

function readMember(
  placed: PlacedMember,
  above: readonly Rejection[],
  context: AnswerContext,
  joined: JoinedAnswers | null,
): Finding {
  const { member } = placed;
  const ofBenefits = gathered(member.benefits, 'rejections');
  const rejections = [...above, ...member.rejections, ...ofBenefits];
  const coverages = coveragesOf(placed, context.serviceDate);
  const stated = coverages.filter(({ status }) => status !== null);
  const ofPlan = ofBenefits.length === 0 ? NONE : rejectionsOfPlan(member);
  // A payer that does not mention the subscriber does not mention the dependents either.
  const outage = [...above, ...member.rejections, ...placed.subscriber.rejections, ...ofPlan].find(isOutage);
  if (outage !== undefined && stated.every(({ status }) => status !== 'Active'))
    return rejected([outage, ...rejections.filter((one) => one !== outage)]);
  if (stated.length > 0) {
    if (joined === null)
      return result(placed, entriesOf(placed, stated, rejections, context), rejections, context);
    const all = withLaterRows(placed, joined);
    const allRejections = [...rejections, ...laterRejections(joined)];
    const found = result(all, entriesOf(all, stated, allRejections, context, joined), allRejections, context);
    return { ...found, payerCodes: [...new Set([...found.payerCodes, ...laterCodes(joined)])] };
  }
  const failure = rejections.find(({ code }) => code !== OUT_OF_NETWORK);
  if (failure) return rejected([failure, ...rejections.filter((one) => one !== failure)]);
  if (rejections.length > 0) return outOfNetwork(placed, rejections, context, joined);
  return noResult(
    'requires_other_channel',
    unsureCodes(coverages),
    false,
    entriesOf(placed, coverages, [], context).map(({ data }) => data),
  );
}

function result(
  placed: PlacedMember,
  entries: readonly ReadEntry[],
  rejections: readonly Rejection[],
  { request, serviceDate }: AnswerContext,
): Finding {
  return {
    kind: 'result',
    serviceDate,
    insuranceData: entries.map(({ data }) => data),
    ...foundBenefits(placed, entries, request),
    payerCodes: payerCodesOf(rejections),
  };
}

function isOutage({ code }: Rejection): boolean {
  return reasonOfRejection(code) === 'payer_unavailable';
}

/** An AAA in 2110 speaks of that service only; after a row for the plan it speaks for the plan. */
function rejectionsOfPlan({ benefits }: Member): Rejection[] {
  return gathered(benefits.filter(isOfPlan), 'rejections');
}

/** Rejections in the payer and provider loops: they concern every patient below. */
function rejectionsAbove({ answers }: PayerAnswer): Rejection[] {
  const above: Rejection[] = [];
  for (const { payers } of answers)
    for (const { rejections, providers } of payers) {
      for (const rejection of rejections) above.push(rejection);
      for (const provider of providers) for (const rejection of provider.rejections) above.push(rejection);
    }
  return above;
}

/** A 999, a TA1 or some other transaction instead of a 271. */
function unanswered({ acknowledgements, interchangeAcknowledgements }: PayerAnswer): NoResult {
  const codes = [
    ...interchangeAcknowledgements
      .slice(0, CODE_COUNT_MAX)
      .map(({ status, noteCode }) => `TA1 ${safeCode(status)} ${safeCode(noteCode)}`),
    ...acknowledgements
      .slice(0, CODE_COUNT_MAX)
      .map(({ groupStatus }) => `999 ${safeCode(groupStatus ?? '')}`),
  ].slice(0, CODE_COUNT_MAX);
  return invalid(codes.length > 0 ? codes : ['no 271']);
}

/** Codes go into logs, so anything not shaped like a code is dropped. */
function safeCode(text: string): string {
  return /^[A-Z0-9]{1,3}$/i.test(text) ? text : '?';
}

function rejected(rejections: readonly Rejection[]): NoResult {
  const reason = reasonOfRejection(rejections[0]?.code ?? '');
  const mayRetry = reason === 'payer_unavailable' || reason === 'payer_throttled';
  return noResult(reason, payerCodesOf(rejections), mayRetry);
}

/** Retry only when the answer is not X12: a payer that answered in X12 has done the work and may charge again. */
function invalid(payerCodes: readonly string[], mayRetry = false): NoResult {
  return noResult('payer_response_invalid', payerCodes, mayRetry);
}

function noResult(
  reason: ErrorReason,
  payerCodes: readonly string[],
  mayRetry: boolean,
  insuranceData: InsurancePlanData[] = [],
): NoResult {
  return { kind: 'no_result', reason, payerCodes, mayRetry, isUnsure: false, insuranceData };
}

function unsureCodes(coverages: readonly Coverage[]): string[] {
  const codes = coverages.flatMap((coverage) => [...coverage.codes].map((code) => `EB ${code}`));
  return codes.length > 0 ? [...new Set(codes)] : ['no status'];
}

/** The outcome of an answer. */
export type Finding =
  /** The payer stated the coverage. Inactive and out of network count. */
  | {
      readonly kind: 'result';
      readonly insuranceData: InsurancePlanData[];
      /** The payer's rows, one list for each entry of `insuranceData`. */
      readonly benefits: readonly FoundBenefits[];
      /** The day that was asked about, `YYYY-MM-DD`. */
      readonly serviceDate: string;
      /** How many further rows are not in `benefits`, since they are too many. */
      readonly leftOut: number;
      /** The payer's codes that the notes come from, such as `AAA 71`. */
      readonly payerCodes: readonly string[];
    }
  /** The payer did not state the coverage. */
  | {
      readonly kind: 'no_result';
      readonly reason: ErrorReason;
      /** The payer's own codes for the reason, the deciding one first: `AAA 72`, `EB V`, `TA1 R 022`, `999 R`. */
      readonly payerCodes: readonly string[];
      /**
       * Whether the same inquiry, sent again soon, may be answered: the payer said that it could not at the moment, or no
       * payer was reached at all.
       */
      readonly mayRetry: boolean;
      /**
       * The reason is ours, not the payer's: none of the named members is certainly the patient.
       * Another channel may verify, whatever the reason.
       */
      readonly isUnsure: boolean;
      /** The parts of the answer that hold anyway: coverages without a status, other payers. */
      readonly insuranceData: InsurancePlanData[];
    };

/** The context for reading an answer. */
export interface AnswerContext {
  readonly request: RequestInfo;
  /** The trace of the inquiry. An answer that echoes another trace is not ours. */
  readonly requestId: string;
  /** The service date asked about, `YYYY-MM-DD`. */
  readonly serviceDate: string;
  /** The configured payer names, the only values of `payer_name`. */
  readonly payerNames: readonly string[];
  /** IANA name of the payer's zone, in which BHT04/05 is written. */
  readonly payerTimeZone: string;
  /** Used when the answer has no time of its own. */
  readonly receivedAt: Date;
  /** The `person_uuid` of every entry. */
  readonly personUuid: string;
}
