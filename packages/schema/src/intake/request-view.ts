import * as z from 'zod';
import { accountModeField } from '../access/account.ts';
import { Delivery } from '../delivery.ts';
import { date, dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { enumeration, model } from '../model.ts';
import { HeldOutputSummary } from '../output/held-output.ts';
import type { createResponseModel } from '../output/response-model.ts';
import { nextCursorField } from '../page.ts';
import type { PayerNames } from '../payers.ts';
import { RequestState } from '../request-state.ts';
import { ErasedBecause } from '../retention/erasure.ts';
import { StandingHold } from '../retention/legal-hold.ts';
import { VerificationAttempt, X12Exchange } from '../verification/evidence.ts';
import { type createPlanInfo, VerificationSource } from '../verification/insurance-plan-data.ts';
import { ResultCorrection, VerificationRecord } from '../verification/verification-record.ts';
import { type createRequestInfo, ProviderInfo } from './request-info.ts';

/** Names one request. Any string passes: a malformed id answers 404, like an unknown one. */
export const RequestRef = model('RequestRef', 'Names one request.', {
  request_id: z.string().meta({ description: 'The id the service issued.' }),
});
export type RequestRef = z.infer<typeof RequestRef>;

/** The day that a request asks about, as its header `Service-Date` says. */
export const serviceDateField = () =>
  date().nullable().meta({
    description: 'The day to ask about (Service-Date); null: the day of asking.',
  });

/** When a request is needed, as its header `Needed-By` says. */
export const neededByField = () =>
  dateTime().nullable().meta({
    description: 'When its account needs the first result (Needed-By); null: not given.',
  });

/** A request as the service holds it. */
export function createRequestModel<P extends PayerNames>(
  requestInfo: ReturnType<typeof createRequestInfo<P>>,
) {
  return model('RequestModel', 'A request as the service holds it.', {
    request_id: z.string().nullable().meta({
      description:
        'The id the service issued. The key is always present; null only in an output for no known request.',
    }),
    input: requestInfo.meta({ description: 'The request as it was posted, known fields only.' }),
    received_timestamp: dateTime().meta({ description: 'When the service received the request.' }),
    state: RequestState.meta({ description: 'How far the request has come.' }),
    error_reason: z.string().nullable().optional().meta({
      description:
        'Why it failed: a slug of the error_reason registry, or free text from a verifier. Null when nothing failed.',
    }),
  });
}

/** A version of a request's result (`requests.view`). */
export const ResultVersion = model('ResultVersion', "A version of a request's result.", {
  version: wholeNumber().meta({ description: 'Which version, from 1; the last one counts.' }),
  outcome: z.enum(['complete', 'error_verifying']).meta({ description: 'Whether it was verified.' }),
  applied_at: dateTime().meta({ description: 'When it was accepted.' }),
  applied_by: z.string().nullable().meta({
    description: 'Its sender, or the operator who applied it; null for the service and a stranger.',
  }),
  applied_by_name: z.string().nullable().meta({
    description: 'Their name; null without one.',
  }),
  held_id: z.string().nullable().meta({
    description: 'The held output that an operator made it of; null when it was accepted at once.',
  }),
  verification: VerificationRecord.nullable().meta({
    description: 'Who asked the payer; null where none did.',
  }),
  correction: ResultCorrection.nullable().meta({
    description: 'Null for any other result.',
  }),
});
export type ResultVersion = z.infer<typeof ResultVersion>;

/** An exchange with a payer without its texts, which are a patient's (`requests.view`). */
export const X12ExchangeSummary = model(
  'X12ExchangeSummary',
  'An exchange with a payer, without its texts.',
  (({ inquiry: _inquiry, answer: _answer, ...shape }) => shape)(X12Exchange.shape),
);
export type X12ExchangeSummary = z.infer<typeof X12ExchangeSummary>;

/** A coverage that was found, without the patient (`requests.view`). */
export function createFoundCoverage<P extends PayerNames>(planInfo: ReturnType<typeof createPlanInfo<P>>) {
  return model('FoundCoverage', 'A coverage that was found, without the patient.', {
    verification_time: dateTime().meta({ description: 'When the payer gave the answer.' }),
    verification_source: VerificationSource.meta({ description: 'How the answer was obtained.' }),
    plan_info: planInfo.meta({ description: 'The plan that was found.' }),
  });
}

/** The initials of a request's patient. */
const patientInitialsField = () =>
  z.string().nullable().meta({
    description:
      "The initials of the patient's name, as in J. D.; null where it has no letters, and once the data was erased.",
  });

/** Everything that happened to a request, for somebody who looks at it (`requests.view`). */
export function createRequestView<P extends PayerNames>({
  foundCoverage,
  responseModel,
}: {
  foundCoverage: ReturnType<typeof createFoundCoverage<P>>;
  responseModel: ReturnType<typeof createResponseModel<P>>;
}) {
  return model('RequestView', 'Everything that happened to a request; the patient only where shown.', {
    ...requestSummaryShape,
    patient_initials: patientInitialsField(),
    service_date: serviceDateField(),
    erased_because: ErasedBecause.nullable().meta({
      description: 'Why its data is gone; null while it is there.',
    }),
    holds: list(StandingHold).meta({
      description: 'The legal holds that keep its data, also those on all of its account.',
    }),
    provider_info: ProviderInfo.nullable().meta({
      description: 'The provider on whose behalf the payer is asked; null once the data is erased.',
    }),
    cpt_code_coverage: list(z.string()).meta({
      description: 'Procedure codes to check coverage for; empty for none.',
    }),
    callback_host: z.string().nullable().meta({
      description:
        'The host and port that the result goes to; null when its address has none, and once the data is erased.',
    }),
    coverages: list(foundCoverage).meta({ description: 'What was found, without the patient.' }),
    versions: list(ResultVersion).meta({ description: 'The results, first to last.' }),
    held_outputs: list(HeldOutputSummary).meta({
      description:
        'Its outputs that were held, first to last: those that became its result, and the last 100 that name it.',
    }),
    attempts: list(VerificationAttempt).meta({
      description:
        'Every attempt, first to last, without notes; without quotes where the patient is not shown.',
    }),
    deliveries: list(Delivery).meta({
      description:
        'The deliveries in the order of their versions; without what receivers answered where the patient is not shown.',
    }),
    exchanges: list(X12ExchangeSummary).meta({
      description: 'The exchanges with payers, first to last, without their texts.',
    }),
    revealed: responseModel.nullable().meta({
      description:
        'The request with the patient, and the result; null where the caller looks after requests of others: then requests.reveal shows it.',
    }),
  });
}

/** A payer that a pending request waits for, since its API does not answer. */
export const PayerWait = model('PayerWait', 'A payer that does not answer.', {
  since: dateTime().meta({ description: 'Since when.' }),
  until: dateTime().nullable().meta({ description: 'How long it is tried.' }),
});
export type PayerWait = z.infer<typeof PayerWait>;

/** What several models show of a request. Nothing of the patient is among them. */
const requestSummaryShape = {
  request_id: z.string().meta({ description: 'The id the service issued.' }),
  account_id: z.string().meta({ description: 'The account that created it.' }),
  account_name: z.string().meta({ description: 'The name of that account.' }),
  payer_id: z.string().meta({ description: "The payer's id in the configuration." }),
  payer: z.string().meta({ description: "The payer's name, as the request has it." }),
  received_timestamp: dateTime().meta({ description: 'When the service received the request.' }),
  state: RequestState.meta({ description: 'How far the request has come.' }),
  error_reason: z.string().nullable().meta({ description: 'Why it failed; null when nothing failed.' }),
  channel: VerificationSource.meta({
    description: 'How it is verified: the channel that it waits in, or was in last.',
  }),
  erased_at: dateTime().nullable().meta({
    description: 'When its data was erased, at the end of its retention; null while it is there.',
  }),
  needed_by: neededByField(),
  overdue: z.boolean().meta({
    description:
      'Whether the first result came later than it was needed, or has not come although that time is past; false where no time was given.',
  }),
  waiting_for_payer: PayerWait.optional().meta({
    description: 'It waits for its payer.',
  }),
};

/** What the provider knows by a request, in one word. Append-only. */
export const RequestAnswer = enumeration('RequestAnswer', 'What is known by a request, in one word.', [
  'pending',
  'active',
  'inactive',
  /** The result does not say whether the plan covers the patient. */
  'unstated',
  'not_verified',
]);
export type RequestAnswer = z.infer<typeof RequestAnswer>;

/** A request in a list (`requests.search`): its state, and as much of the patient as a list needs. */
export const RequestSummary = model('RequestSummary', 'The state of a request and its answer.', {
  ...requestSummaryShape,
  account_mode: accountModeField(),
  patient_initials: patientInitialsField(),
  service_date: serviceDateField(),
  answer: RequestAnswer.nullable().meta({
    description:
      'The result’s answer, delivered or not: active if one of its coverages is, unstated if none has a status; null once the data was erased.',
  }),
  answer_reason: z.string().nullable().meta({
    description: 'Why it could not be verified, also where that was not delivered; null otherwise.',
  }),
  held: z.boolean().meta({ description: 'Whether an output about it waits for an operator.' }),
});
export type RequestSummary = z.infer<typeof RequestSummary>;

/**
 * One page of requests. With filters that few of them match it may hold fewer than requested, or none, although there
 * are more: a call reads a bounded number of them. Only a `next_cursor` of null marks the end.
 */
export const RequestSummaryList = model('RequestSummaryList', 'One page of requests.', {
  items: list(RequestSummary).meta({
    description:
      'The requests, newest first. With filters that few of them meet a page may be short or empty before the last.',
  }),
  next_cursor: z
    .string()
    .nullable()
    .meta({ description: 'The cursor of the next page; null on the last, and only there.' }),
});
export type RequestSummaryList = z.infer<typeof RequestSummaryList>;

/** What a list shows of a request whose data was erased (`requests.list`). */
export const ErasedRequest = model('ErasedRequest', 'A request whose data was erased.', {
  request_id: z.string().meta({ description: 'The id the service issued.' }),
  received_timestamp: dateTime().meta({ description: 'When the service received the request.' }),
  state: RequestState.meta({ description: 'How it ended.' }),
  error_reason: z.string().nullable().meta({
    description: 'Why it failed, a slug of the registry; null when nothing failed, or that was free text.',
  }),
  erased_at: dateTime().meta({ description: 'When its data was erased.' }),
});
export type ErasedRequest = z.infer<typeof ErasedRequest>;

/** One page of requests, newest first (`requests.list`). */
export function createRequestList<P extends PayerNames>(
  requestModel: ReturnType<typeof createRequestModel<P>>,
) {
  return model('RequestList', 'One page of requests.', {
    items: list(requestModel).meta({
      description: 'The requests, newest first. Those whose data was erased are in `erased`.',
    }),
    erased: list(ErasedRequest).meta({
      description: "The page's requests whose data was erased at the end of their retention, newest first.",
    }),
    next_cursor: nextCursorField(),
  });
}
