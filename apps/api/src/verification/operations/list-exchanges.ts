import {
  ERROR_REASONS,
  ErrorReason,
  RequestRef,
  type X12Exchange,
  X12ExchangeList,
} from '@insurance-verification/schema';
import { listX12Exchanges, type X12Exchange as KeptExchange } from '@insurance-verification/store';
import { found } from '../../procedure/problem/found.ts';
import { query } from '../../procedure/trpc.ts';
import { decodeAnswer } from '../api-channel/decode-answer.ts';
import { exampleExchange } from './example-exchange.ts';

/** The evidence of the API channel: every 270 that was sent for a request, and what the payer answered. */
export const listExchanges = () =>
  query({
    meta: {
      operation: 'requests.exchanges',
      openapi: {
        summary: 'List what payers were asked and answered over X12',
        description:
          'Lists the X12 inquiries (270) that were sent to the payer about a request, and what came back, as they were on the wire: the evidence for a dispute with a payer.',
        tags: ['Work'],
      },
      limit: 'reads',
      problems: ['not_found'],
      answers: { active: { items: [exampleExchange] } },
    },
    input: RequestRef,
    output: X12ExchangeList,
    handler: async ({ ctx, input: { request_id: requestId } }) => {
      const kept = found(await listX12Exchanges(ctx.app.store, { caller: ctx.caller, requestId }));
      ctx.call.concerns(requestId);
      return { items: kept.map(toExchange) };
    },
  });

function toExchange(kept: KeptExchange): X12Exchange {
  const { data: reason = null } = ErrorReason.safeParse(kept.errorReason);
  const fact = reason && ERROR_REASONS[reason];
  return {
    control_number: kept.controlNumber,
    payer_id: kept.payerId,
    started_at: kept.startedAt.toISOString(),
    duration_ms: kept.durationMs,
    status_code: kept.statusCode,
    error_reason: reason,
    fixed_by: fact?.fixedBy ?? null,
    explanation: fact?.sentence ?? null,
    payer_codes: [...kept.payerCodes],
    inquiry: kept.inquiry,
    answer: kept.answer && decodeAnswer(Buffer.from(kept.answer)),
  };
}
