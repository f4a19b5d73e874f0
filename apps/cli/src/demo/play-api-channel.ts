import type { RestClient } from '@insurance-verification/client';
import { type ReceivedCall, startReceiver } from '../delivery/start-receiver.ts';
import { CommandFailedError } from '../failure/failure.ts';
import { planLines } from '../output/plan-lines.ts';
import { layOut } from '../terminal/lay-out.ts';
import { textAt } from '../terminal/text-at.ts';
import { curl } from './curl.ts';
import type { DemoService } from './demo-service.ts';
import type { DemoStep } from './demo-step.ts';
import { sampleRequest } from './sample-request.ts';

/** What the API channel proved. */
export interface ApiChannelReport {
  readonly payer: string;
  readonly request_id: string;
  readonly state: string;
  /** Time from the request to its webhook. */
  readonly seconds: number;
}

/** The webhook's timeout in seconds, including the payer's answer. */
const WEBHOOK_SECONDS = 15;

/** Posts a request for the payer that the service asks over X12, and waits for its webhook. No verifier takes part. */
export async function playApiChannel(
  { url }: DemoService,
  client: RestClient,
  { payer, payerUrl }: NonNullable<DemoService['apiPayer']>,
  show: (step: DemoStep) => void,
): Promise<ApiChannelReport> {
  const { current, previous } = await client.webhookSecret.get();
  const calls = Promise.withResolvers<ReceivedCall>();
  const receiver = await startReceiver({
    port: 0,
    secrets: previous === null ? [current] : [current, previous],
    received: calls.resolve,
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const input = sampleRequest(payer, `${receiver.url}/verified`);
    const startedAt = performance.now();
    const request = await client.requests.create(input);
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), WEBHOOK_SECONDS * 1_000);
    });
    const call = await Promise.race([calls.promise, late]);
    const requestId = request.request_id ?? '';
    if (call === null || textAt(call.body, 'request', 'request_id') !== requestId || call.refusal) {
      throw new CommandFailedError(
        `The API channel brought no verified webhook within ${WEBHOOK_SECONDS} s. See why: iv requests get ${requestId}`,
      );
    }
    const seconds = Number(((performance.now() - startedAt) / 1_000).toFixed(2));
    const state = textAt(call.body, 'request', 'state') ?? 'unknown';
    const entries = (call.body as { insurance_data?: unknown }).insurance_data;
    show({
      title: '8. The same over the API channel, without a verifier',
      facts: [
        `payer      ${payer}, a simulator at ${payerUrl}`,
        `asked      X12 270; answered with a 271`,
        ...layOut(planLines(entries), Infinity).lines,
        `state      ${state}, ${seconds} s from the request to its webhook`,
      ],
      type: [
        curl(`${url}/requests/`, { key: true, body: input }),
        curl(`${url}/requests/${requestId}/attempts`, { key: true }),
        'iv report response-times',
      ],
    });
    return { payer, request_id: requestId, state, seconds };
  } finally {
    clearTimeout(timer);
    await receiver.stop();
  }
}
