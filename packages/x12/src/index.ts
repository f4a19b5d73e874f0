export { DEFAULT_DELIMITERS, type Delimiters } from './tokenizing/delimiters.ts';
export { createTokenizer, type Tokenizer } from './tokenizing/create-tokenizer.ts';
export { componentsOf, elementOf, repetitionsOf, type Segment } from './tokenizing/segment.ts';
export { tokenize } from './tokenizing/tokenize.ts';
export { tokenizeStream } from './tokenizing/tokenize-stream.ts';
export { isWarning, SEGMENT_LENGTH_MAX, type X12Fault, type X12FaultCode } from './tokenizing/x12-fault.ts';

// Envelopes.
export type { FunctionalGroup, Interchange, Interchanges, Transaction } from './envelope/interchange.ts';
export { readInterchanges } from './envelope/read-interchanges.ts';
export {
  type ElementValue,
  type EnvelopeOptions,
  type GroupContent,
  type SegmentValue,
  writeInterchange,
} from './envelope/write-interchange.ts';

// 270.
export type { EligibilityInquiry } from './inquiry/eligibility-inquiry.ts';
export { readEligibilityInquiry } from './inquiry/read-eligibility-inquiry.ts';
export { ELIGIBILITY_VERSION, writeEligibilityInquiry } from './inquiry/write-eligibility-inquiry.ts';

// What both are made of.
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
} from './parts/parts.ts';
export type { Period } from './parts/parse-x12-date.ts';

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
export { type PayerAnswer, readPayerAnswer } from './answer/read-payer-answer.ts';
export {
  type AcknowledgedError,
  type ImplementationAcknowledgement,
  readImplementationAcknowledgement,
} from './acknowledgement/read-999.ts';
export {
  type InterchangeAcknowledgement,
  readInterchangeAcknowledgement,
} from './acknowledgement/read-ta1.ts';

// To and from the models of @insurance-verification/schema.
export { amountOf, decimalOf } from './mapping/benefits/decimals.ts';
export type { FoundBenefits } from './mapping/benefits/found-benefits.ts';
export { type KeptRow, readKeptRows } from './mapping/benefits/kept-row.ts';
export type { AnswerContext } from './mapping/answer-context.ts';
export type { Finding } from './mapping/finding.ts';
export { readFinding } from './mapping/read-finding.ts';
export { readSample } from './samples/read-sample.ts';
export { sampleAnswer, type SampleName } from './samples/sample-answers.ts';
export { reasonOfRejection } from './mapping/rejection-reasons.ts';
export { askedProcedures, type AskedProcedure } from './mapping/inquiry/asked-procedures.ts';
export {
  askedServiceTypes,
  type InquiryContext,
  toEligibilityInquiry,
} from './mapping/inquiry/to-eligibility-inquiry.ts';
export { placeName } from './mapping/benefits/places-of-service.ts';
export { serviceTypeName } from './mapping/service-types.ts';
export { todayIn } from './mapping/verification-time.ts';
