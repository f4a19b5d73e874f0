/** What another team writes in TypeScript: compiled strictly against the packed packages, then run. */
import {
  type AppRouter,
  createRestClient,
  createTrpcClient,
  NotFoundError,
  parseWebhook,
  type RouterOutputs,
  verifyWebhook,
} from '@insurance-verification/client';
import openapi from '@insurance-verification/client/openapi.json' with { type: 'json' };
import {
  createSchemas,
  RequestInfo,
  type RequestModel,
  toValidationErrors,
} from '@insurance-verification/schema';
import valid from '@insurance-verification/schema/fixtures/request-info-valid.json' with { type: 'json' };
import jsonSchema from '@insurance-verification/schema/json-schema/request-info.json' with { type: 'json' };
import { createWebhookSecret, signWebhook } from '@insurance-verification/webhook';
import type * as z from 'zod';

const payers = ['Plan A', 'Plan B', 'Plan C', 'Plan D'] as const;
type OwnPayer = (typeof payers)[number];

function assert(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`It does not hold that ${what}.`);
}

// Own payers stay literal through the models, both clients and the webhook.
const own = createSchemas({ payers });
type OwnInfo = z.infer<typeof own.RequestInfo>;
export const ownPayer = (info: OwnInfo): OwnPayer => info.payer_info.name;
// @ts-expect-error another name is none of them
export const NOT_OWN: OwnInfo['payer_info']['name'] = 'Plan E';

const rest = createRestClient<typeof payers>({
  url: 'http://127.0.0.1:9',
  retryCountMax: 0,
  timeoutMs: 5_000,
});
const trpc = createTrpcClient<typeof payers>({ url: 'http://127.0.0.1:9' });
export const fromRest = async (): Promise<OwnPayer> =>
  (await rest.requests.get({ request_id: 'req_1' })).input.payer_info.name;
export const fromTrpc = async (): Promise<OwnPayer> =>
  (await trpc.requests.get.query({ request_id: 'req_1' })).input.payer_info.name;
// @ts-expect-error an operation that does not exist
export const noOperation = () => rest.requests.remove({ request_id: 'req_1' });
// @ts-expect-error an input of another form
export const noInput = () => trpc.requests.get.query({ id: 'req_1' });
export const anyPayer = (request: RequestModel): string => request.input.payer_info.name;
export const model = (got: RouterOutputs['requests']['get']): RequestModel => got;
export type Names = keyof AppRouter['_def']['record'];

// The files that are reached by subpath.
assert(valid.length > 0, 'there are fixtures');
assert(
  valid.every(({ body }) => RequestInfo.safeParse(body).success),
  'each valid fixture is valid',
);
assert(
  jsonSchema.title === 'RequestInfo' && jsonSchema.required.includes('payer_info'),
  'the JSON Schema is one',
);
assert(openapi.paths['/requests/'].post.operationId === 'requests.create', 'the document is the service’s');
const refused = own.RequestInfo.safeParse({});
assert(toValidationErrors(refused.error?.issues ?? [], {}).length === 4, 'an empty body has four faults');

// A webhook of one's own making.
const secret = createWebhookSecret();
const timestamp = new Date();
const body = new TextEncoder().encode('{}');
const headers = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1000)),
  'webhook-signature': signWebhook({ id: 'msg_1', timestamp, body, secrets: [secret] }),
};
assert((await verifyWebhook({ headers, body, secret })).id === 'msg_1', 'the signature is right');
const refusal = await parseWebhook({ headers, body, secret, payers }).catch((err: unknown) => err);
assert(refusal instanceof Error && refusal.name === 'WebhookContentError', 'an empty body is no result');
assert(!(refusal instanceof NotFoundError), 'classes tell errors apart');
