import * as z from 'zod';
import { RequestBenefits } from '../benefits/request-benefits.ts';
import { DeliveryStatus } from '../delivery.ts';
import { dateTime, date } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { ProviderInfo } from '../intake/request-info.ts';
import { type createFoundCoverage, ResultVersion } from '../intake/request-view.ts';
import { model } from '../model.ts';
import type { PayerNames } from '../payers.ts';
import { RequestState } from '../request-state.ts';
import { VerificationAttempt } from '../verification/evidence.ts';
import type { createResponseModel } from './response-model.ts';

/** How a result came to its callback address (`requests.proof`). */
export const DeliveryReceipt = model('DeliveryReceipt', 'How a result came to its callback address.', {
  delivery_id: z.string().meta({ description: 'The id of the delivery, its `webhook-id`.' }),
  status: DeliveryStatus.meta({ description: 'Its current state.' }),
  accepted_at: dateTime().nullable().meta({
    description: 'When the receiver first took it; null while it has not.',
  }),
  status_code: wholeNumber()
    .nullable()
    .meta({ description: 'The HTTP status that it was taken with; null while it was not.' }),
});
export type DeliveryReceipt = z.infer<typeof DeliveryReceipt>;

/** The seal over the audit's entry of a result (`requests.proof`). */
export const ResultSeal = model('ResultSeal', 'The seal over the audit’s entry of a result.', {
  seal: z.int().min(1).nullable().meta({ description: 'Its number; null while the entry is not sealed.' }),
  sealed_at: dateTime().nullable().meta({ description: 'When it was made; null while it is not.' }),
});
export type ResultSeal = z.infer<typeof ResultSeal>;

/** The question, who was asked, who asked and when, and the answer (`requests.proof`). */
export function createVerificationProof<P extends PayerNames>({
  foundCoverage,
  responseModel,
}: {
  foundCoverage: ReturnType<typeof createFoundCoverage<P>>;
  responseModel: ReturnType<typeof createResponseModel<P>>;
}) {
  return model('VerificationProof', 'The question, who was asked, who asked and when, and the answer.', {
    request_id: z.string().meta({ description: 'The id the service issued.' }),
    account_id: z.string().meta({ description: 'The account that asked.' }),
    account_name: z.string().meta({ description: 'Its name.' }),
    received_timestamp: dateTime().meta({ description: 'When it asked.' }),
    payer_id: z.string().meta({ description: "The payer's id in the configuration." }),
    payer: z.string().meta({ description: "The payer's name, as the request has it." }),
    provider_info: ProviderInfo.meta({ description: 'The provider on whose behalf the payer was asked.' }),
    cpt_code_coverage: list(z.string()).meta({
      description: 'The procedure codes that were asked for; empty for none.',
    }),
    service_date: date().nullable().meta({
      description:
        'The day that was asked about: that of Service-Date, else of the asking; null without it and benefits.',
    }),
    state: RequestState.meta({ description: 'The current state of the request.' }),
    error_reason: z.string().nullable().meta({ description: 'Why it failed; null when nothing failed.' }),
    version: wholeNumber().meta({ description: 'The version of the result, from 1: the standing one.' }),
    attempt: VerificationAttempt.nullable().meta({
      description:
        'The attempt that this version comes from; `versions` has who asked the payer. Without notes; without quotes where the patient is not shown. Null where the request was closed.',
    }),
    coverages: list(foundCoverage).meta({ description: 'What was found, without the patient.' }),
    benefits: RequestBenefits.nullable().meta({
      description:
        'The payer’s other statements; null if the patient is not shown: requests.benefits returns them.',
    }),
    versions: list(ResultVersion).meta({ description: 'The results, first to last.' }),
    delivery: DeliveryReceipt.meta({ description: 'How this version came to its callback address.' }),
    digest: z.string().meta({
      description: 'The SHA-256, in hexadecimal, of the body of the webhook that delivers this version.',
    }),
    seal: ResultSeal.nullable().meta({
      description:
        'The seal over the audit entry of who submitted or applied this version; null if it went with a dropped month.',
    }),
    result: responseModel.nullable().meta({
      description:
        'The body of that webhook, with the patient; null where the caller looks after requests of others: then requests.reveal shows the patient.',
    }),
  });
}
