import { setTimeout as wait } from 'node:timers/promises';
import type { RestClient } from '@insurance-verification/client';
import type { OutputReceipt } from '@insurance-verification/schema';
import { CommandFailedError } from '../failure/failure.ts';
import { type ReceivedCall, startReceiver } from '../listen/receiver.ts';
import { createClient } from '../service/connect.ts';
import { planLines, textAt } from '../terminal/plan-table.ts';
import { layOut } from '../terminal/table.ts';
import { asTyped } from '../terminal/terminal.ts';
import type { DemoService } from './demo-service.ts';
import { sampleOutput, sampleRequest } from './sample-request.ts';

/** The facts that the demo proved. */
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

/** How long a webhook may take, the payer's answer included. */
const WEBHOOK_SECONDS = 15;

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

  await using receiver = await receiverOf(client);
  const input = sampleRequest(await firstPayerOf(url), receiver.callbackUrl);
  const request = await client.requests.create(input);
  const requestId = request.request_id ?? '';
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

  const call = await receiver.callOf(requestId);
  if (!call) throw await noWebhook(client, requestId);
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
  return {
    service: { url, own },
    request_id: requestId,
    output: receipt,
    webhook: { headers, verified: true },
    state,
    delivery_status: deliveryStatus,
    api_channel: service.apiPayer && (await playApiChannel(service, client, service.apiPayer, show)),
  };
}

/** A receiver on this machine that verifies webhooks with the account's secrets. Disposing of it stops it. */
async function receiverOf(client: RestClient) {
  const { current, previous } = await client.webhookSecret.get();
  const calls: ReceivedCall[] = [];
  const receiver = await startReceiver({
    port: 0,
    secrets: previous === null ? [current] : [current, previous],
    received: (call) => void calls.push(call),
  });
  /** The call for a request, since any local process may call; undefined when none came in time. */
  const callOf = async (requestId: string): Promise<ReceivedCall | undefined> => {
    const isOurs = (call: ReceivedCall) => textAt(call.body, 'request', 'request_id') === requestId;
    const deadline = Date.now() + WEBHOOK_SECONDS * 1_000;
    while (!calls.some(isOurs) && Date.now() < deadline) await wait(POLL_MS);
    return calls.find(isOurs);
  };
  return { callbackUrl: `${receiver.url}/verified`, callOf, [Symbol.asyncDispose]: () => receiver.stop() };
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

async function noWebhook(client: RestClient, requestId: string): Promise<CommandFailedError> {
  const { items } = await client.requests.deliveries({ request_id: requestId });
  const outcome = items.at(-1)?.attempts.at(-1)?.outcome;
  return new CommandFailedError(
    `No webhook came within ${WEBHOOK_SECONDS} s; the service says: ${outcome ?? (items.length === 0 ? 'no delivery' : 'no attempt yet')}.\n` +
      `Expected a call to this machine's loopback address, which a service elsewhere cannot reach and one in production does not call (WEBHOOK_ALLOW_CIDRS).\n` +
      `See the attempts: iv deliveries list ${requestId}`,
  );
}

/** A payer that the service knows, read from its OpenAPI document, which lists the configured payers. */
async function firstPayerOf(url: string): Promise<string> {
  const res = await fetch(`${url}/openapi.json`, { redirect: 'manual', signal: AbortSignal.timeout(10_000) });
  const document = (await res.json()) as {
    components?: { schemas?: { Payer?: { enum?: readonly string[] } } };
  };
  const payer = document.components?.schemas?.Payer?.enum?.[0];
  if (payer === undefined)
    throw new CommandFailedError(`${url}/openapi.json names no payers (${res.status}).`);
  return payer;
}

/** Milliseconds that the service has to record the receiver's 200. */
const NOTED_MS = 10_000;

const POLL_MS = 20;

/** Waits until the delivery is recorded: milliseconds, since the receiver has already answered. */
async function untilDelivered(
  client: RestClient,
  requestId: string,
): Promise<{ state: string; deliveryStatus: string }> {
  const deadline = Date.now() + NOTED_MS;
  for (;;) {
    const { items } = await client.requests.deliveries({ request_id: requestId });
    const deliveryStatus = items.at(-1)?.status ?? 'none';
    const { state } = await client.requests.get({ request_id: requestId });
    if (state === 'complete' && deliveryStatus === 'delivered') return { state, deliveryStatus };
    if (Date.now() > deadline) {
      throw new CommandFailedError(
        `Expected state complete and its delivery delivered; came ${state} and ${deliveryStatus}.`,
      );
    }
    await wait(POLL_MS);
  }
}

/** The facts that the API channel proved. */
interface ApiChannelReport {
  readonly payer: string;
  readonly request_id: string;
  readonly state: string;
  /** Time from the request to its webhook. */
  readonly seconds: number;
}

/** Posts a request for the payer that the service asks over X12, and waits for its webhook. No verifier takes part. */
async function playApiChannel(
  { url }: DemoService,
  client: RestClient,
  { payer, payerUrl }: NonNullable<DemoService['apiPayer']>,
  show: (step: DemoStep) => void,
): Promise<ApiChannelReport> {
  await using receiver = await receiverOf(client);
  const input = sampleRequest(payer, receiver.callbackUrl);
  const startedAt = performance.now();
  const request = await client.requests.create(input);
  const requestId = request.request_id ?? '';
  const call = await receiver.callOf(requestId);
  if (!call || call.refusal) {
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
}

/** One displayed step of the demo. */
export interface DemoStep {
  readonly title: string;
  readonly facts: readonly string[];
  /** The commands that a person would type for it. */
  readonly type: readonly string[];
}

/** A step for a person, with its commands as they can be typed here. */
export function stepLines({ title, facts, type }: DemoStep): string[] {
  return [title, ...facts.map((fact) => `  ${fact}`), ...type.map((line) => `  $ ${asTyped(line)}`), ''];
}

/** The curl command for a call; the key stays in its variable. */
export function curl(url: string, { key, body }: { key: boolean; body?: unknown }): string {
  const parts = [`curl ${quoted(url)}`];
  if (key) parts.push('-H "x-key: $IV_API_KEY"');
  if (body !== undefined)
    parts.push("-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  return parts.join(' ');
}

/** Quotes any text as one shell word. */
function quoted(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
