import type { RestClient } from '@insurance-verification/client';
import type { OutputReceipt } from '@insurance-verification/schema';
import { type ReceivedCall, startReceiver } from '../delivery/start-receiver.ts';
import { CommandFailedError } from '../failure/failure.ts';
import { planLines } from '../output/plan-lines.ts';
import { createClient } from '../service/connect.ts';
import { layOut } from '../terminal/lay-out.ts';
import { textAt } from '../terminal/text-at.ts';
import { curl } from './curl.ts';
import type { DemoService } from './demo-service.ts';
import type { DemoStep } from './demo-step.ts';
import { firstPayerOf } from './first-payer-of.ts';
import { type ApiChannelReport, playApiChannel } from './play-api-channel.ts';
import { sampleOutput, sampleRequest } from './sample-request.ts';
import { untilDelivered } from './until-delivered.ts';

/** What the demo proved. */
export interface DemoReport {
  readonly service: { readonly url: string; readonly own: boolean };
  readonly request_id: string;
  readonly output: OutputReceipt;
  readonly webhook: { readonly headers: Readonly<Record<string, string>>; readonly verified: true };
  readonly state: string;
  readonly delivery_status: string;
  /** Null on a running service: its payers are real. */
  readonly api_channel: ApiChannelReport | null;
}

/** The webhook's timeout in milliseconds: an accepted result is delivered at once. */
const WEBHOOK_MS = 15_000;

/**
 * Plays the requester, the verifier and the receiver against a running service.
 * @throws {CommandFailedError} at the first step that fails.
 */
export async function playDemo(service: DemoService, show: (step: DemoStep) => void): Promise<DemoReport> {
  const { url, own } = service;
  const client = createClient(url, service.apiKey, 'iv demo');
  const step = (title: string, facts: readonly string[], type: readonly string[]) =>
    show({ title, facts, type });

  step(
    '1. Service',
    [`${url} is ready${own ? ', started for this demo' : ''}`],
    [curl(`${url}/readyz`, { key: false })],
  );

  const { current, previous } = await client.webhookSecret.get();
  const calls = Promise.withResolvers<ReceivedCall>();
  let requestId: string | null = null;
  const receiver = await startReceiver({
    port: 0,
    secrets: previous === null ? [current] : [current, previous],
    // Any local process may call this receiver: only a call that names our request counts.
    received: (call) => {
      if (requestId !== null && textAt(call.body, 'request', 'request_id') === requestId) calls.resolve(call);
    },
  });
  try {
    const input = sampleRequest(await firstPayerOf(url), `${receiver.url}/verified`);
    const request = await client.requests.create(input);
    requestId = request.request_id ?? '';
    step(
      '2. Request created',
      [`request_id ${requestId}`, `state      ${request.state}`],
      [curl(`${url}/requests/`, { key: true, body: input })],
    );

    step(
      '3. Webhook secret read',
      ['whsec_… (not shown here; it verifies what arrives at the callback_url)'],
      [curl(`${url}/webhook-secret`, { key: true })],
    );

    const output = sampleOutput(request);
    const receipt = await client.verificationOutput.submit(output);
    refuseHeld(receipt);
    step(
      '4. Output submitted, as a verifier would',
      [`disposition ${dispositionOf(receipt)}`],
      [curl(`${url}/verification-output`, { key: true, body: output })],
    );

    const call = await withinTime(calls.promise, client, requestId);
    const headers = webhookHeadersOf(call);
    step(
      '5. Webhook received',
      [
        `${call.method} ${call.path}`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        ...layOut(planLines(output.insurance_data), Infinity).lines,
      ],
      ['iv listen --port 4000'],
    );

    if (call.refusal) {
      throw new CommandFailedError(
        `The webhook's signature is wrong: ${call.refusal.message} (${call.refusal.reason}).`,
      );
    }
    step(
      '6. Signature verified',
      ['HMAC-SHA256 over webhook-id.webhook-timestamp.body, as Standard Webhooks defines it'],
      [],
    );

    const { state, deliveryStatus } = await untilDelivered(client, requestId);
    step(
      `7. State ${state}`,
      [`delivery ${deliveryStatus}`],
      [
        curl(`${url}/requests/${requestId}`, { key: true }),
        curl(`${url}/requests/${requestId}/deliveries`, { key: true }),
      ],
    );
    const apiChannel =
      service.apiPayer === null ? null : await playApiChannel(service, client, service.apiPayer, show);
    return {
      service: { url, own },
      request_id: requestId,
      output: receipt,
      webhook: { headers, verified: true },
      state,
      delivery_status: deliveryStatus,
      api_channel: apiChannel,
    };
  } finally {
    await receiver.stop();
  }
}

function dispositionOf({ status, version }: OutputReceipt): string {
  if (status === 'received') return 'received (a key without scope verify learns no more)';
  return version === undefined ? status : `${status}, version ${version}`;
}

function refuseHeld({ status, reason, held_id: heldId }: OutputReceipt): void {
  if (status !== 'held') return;
  throw new CommandFailedError(
    `The output was held (${reason}), not applied. Expected a key with scope verify, and an output for the request it names.\nSee it: iv held show ${heldId}`,
  );
}

function webhookHeadersOf({ headers }: ReceivedCall): Record<string, string> {
  const names = [
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
    'verification-version',
    'content-type',
  ];
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}

async function withinTime(
  call: Promise<ReceivedCall>,
  client: RestClient,
  requestId: string,
): Promise<ReceivedCall> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), WEBHOOK_MS);
  });
  const received = await Promise.race([call, late]).finally(() => clearTimeout(timer));
  if (received) return received;
  const { items } = await client.requests.deliveries({ request_id: requestId });
  const outcome = items.at(-1)?.attempts.at(-1)?.outcome;
  throw new CommandFailedError(
    `No webhook came within ${WEBHOOK_MS / 1000} s; the service says: ${outcome ?? (items.length === 0 ? 'no delivery' : 'no attempt yet')}.\n` +
      `Expected a call to this machine's loopback address, which a service elsewhere cannot reach and one in production does not call (WEBHOOK_ALLOW_CIDRS).\n` +
      `See the attempts: iv deliveries list ${requestId}`,
  );
}
