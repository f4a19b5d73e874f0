import { RequestRef, X12ExchangeList } from '@insurance-verification/schema';
import { listX12Exchanges } from '@insurance-verification/store';
import { exampleExchange } from '../../examples/work.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { query } from '../../procedure/trpc.ts';
import { decodeAnswer } from '../api-channel/decode-answer.ts';
import { x12Of } from '../api-channel/unwrap-answer.ts';

/** The API channel's evidence: every 270 sent for a request, and the payer's answer. */
export const listExchanges = () =>
  query({
    meta: {
      operation: 'requests.exchanges',
      openapi: {
        summary: 'List what payers were asked and answered over X12',
        description:
          'Lists the X12 inquiries (270) that were sent to the payer about a request, and what came back, as they were on the wire: the evidence for a dispute with a payer. The account that asked gets the X12 of an answer; anything else, such as a page of a gateway, is for operators.',
        tags: ['Work'],
      },
      limit: 'reads',
      problems: ['not_found', 'request_erased'],
      answers: { active: { items: [exampleExchange] } },
    },
    input: RequestRef,
    output: X12ExchangeList,
    handler: async ({ ctx, input: { request_id: requestId } }) => {
      const listed = await listX12Exchanges(ctx.app.store, { caller: ctx.caller, requestId });
      if (listed.kind !== 'found') return refuse(listed);
      ctx.call.concerns(requestId);
      const items = listed.exchanges.map(({ answer: bytes, ...exchange }) => {
        const answer = bytes && decodeAnswer(Buffer.from(bytes));
        return { ...exchange, answer: ctx.caller.acrossAccounts ? answer : answer && x12Of(answer) };
      });
      return { items };
    },
  });
