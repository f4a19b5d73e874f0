export {
  DEFAULT_DELIMITERS,
  type Delimiters,
  componentsOf,
  elementOf,
  repetitionsOf,
  type Segment,
} from './tokenizing/read-header.ts';
export { createTokenizer, type Tokenizer, tokenize, tokenizeStream } from './tokenizing/create-tokenizer.ts';
export { isWarning, SEGMENT_LENGTH_MAX, type X12Fault, type X12FaultCode } from './tokenizing/x12-fault.ts';

// Envelopes.
export {
  type FunctionalGroup,
  type Interchange,
  type Interchanges,
  type Transaction,
  readInterchanges,
} from './envelope/read-interchanges.ts';
export {
  type ElementValue,
  type EnvelopeOptions,
  type GroupContent,
  type SegmentValue,
  writeInterchange,
} from './envelope/write-interchange.ts';

// 270.
export {
  type EligibilityInquiry,
  readEligibilityInquiry,
  ELIGIBILITY_VERSION,
  writeEligibilityInquiry,
} from './inquiry.ts';
// The parts of both.
export type {
  AddressParts,
  AnsweredProcedure,
  Contact,
  DatedPeriod,
  NameParts,
  Party,
  Procedure,
  Reference,
  RelatedEntity,
  ServiceDelivery,
  ServiceInformation,
  Trace,
  UnreadDate,
} from './parts/parts.ts';
export type { Period } from './parts/read-parts.ts';

// 271, 999, TA1.
export type {
  AnsweringPayer,
  AskingProvider,
  Benefit,
  EligibilityAnswer,
  Loop,
  Member,
  Rejection,
  RejectionLevel,
  Subscriber,
} from './answer/eligibility-answer.ts';
export { readEligibilityAnswer } from './answer/read-eligibility-answer.ts';
export { decodeQuotedPrintable } from './envelope/quoted-printable.ts';
export { type PayerAnswer, readPayerAnswer } from './answer/read-payer-answer.ts';
export {
  type AcknowledgedError,
  type ImplementationAcknowledgement,
  readImplementationAcknowledgement,
  type InterchangeAcknowledgement,
  readInterchangeAcknowledgement,
} from './acknowledgements.ts';
// To and from the models of @insurance-verification/schema.
export { type KeptRow, readKeptRows } from './mapping/kept-row.ts';
export { amountOf, decimalOf } from './mapping/read-benefit-row.ts';
export type { FoundBenefits } from './mapping/found-benefits.ts';
export {
  type AnswerContext,
  type Finding,
  readAnswer,
  type ReadAnswer,
  readFinding,
} from './mapping/read-finding.ts';
export { type AskedInquiries, type AskedInquiry, keyOfProcedure } from './mapping/asked-inquiries.ts';
export {
  type CodesAnswered,
  isRefusal,
  readCodesAnswered,
  readFindings,
  unansweredCodes,
} from './mapping/later-answers.ts';
export { readSample } from './samples/read-sample.ts';
export { sampleAnswer, type SampleName } from './samples/sample-answers.ts';
export { reasonOfRejection } from './mapping/rejection-reasons.ts';
export {
  askedProcedures,
  type AskedProcedure,
  askedServiceTypes,
  type InquiryContent,
  type InquiryContext,
  leanInquiry,
  toEligibilityInquiry,
} from './mapping/to-eligibility-inquiry.ts';
export { placeName } from './mapping/read-benefit-row.ts';
export { serviceTypeName } from './mapping/codes.ts';
export { todayIn } from './mapping/verification-time.ts';
