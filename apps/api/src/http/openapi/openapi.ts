import {
  HTTPValidationError,
  Problem,
  type ProblemCode,
  PROBLEMS,
  type Schemas,
  WebhookEvent,
} from '@insurance-verification/schema';
import { EXAMPLE_IDS, exampleOutput } from '@insurance-verification/schema/contract';
import { DEFAULT_RETRY_SCHEDULE_TEXT, WEBHOOK_HEADERS } from '@insurance-verification/webhook';
import { forEachOpenApiProcedure } from 'trpc-to-openapi/procedures';
import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiComponentsObject,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { problemBody, ProblemError } from '../../procedure/problem.ts';
import type { Procedure } from '../../procedure/procedure.ts';
import type { TrpcMeta } from '../../procedure/trpc.ts';
import type { ApiRouter } from '../../router.ts';
import { type Audience, forAudience } from './for-audience.ts';
import { forGenerators } from './for-generators.ts';
import { operationOf } from './operation-of.ts';

/** The address of a first run. The served document names the address at which it was requested instead. */
const FIRST_RUN_SERVER = 'http://127.0.0.1:3000';

/** The version that the document and the MCP server give. */
export const API_VERSION = '0.1.0';

type OpenApiDocument = ReturnType<typeof createDocument>;

/**
 * The OpenAPI 3.1 document, made from the contract with zod-openapi's `createDocument`, which emits
 * one component per model. trpc-to-openapi's own generator would strip trailing slashes, inline bodies, document
 * another error shape and secure every operation.
 */
function createOpenApiDocument(api: ApiRouter, schemas: Schemas): OpenApiDocument {
  const paths: ZodOpenApiPathsObject = {};
  for (const procedure of proceduresOf(api)) {
    const { path, method } = procedure.operation;
    (paths[path] ??= {})[method === 'GET' ? 'get' : 'post'] = operationOf(procedure.operation);
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Insurance Verification API',
      version: API_VERSION,
      description:
        'Post a verification request; receive one signed, correct result at your callback address. Times are UTC. ' +
        'Unknown fields are ignored. A 422 is `HTTPValidationError`; every other error is `application/problem+json` (RFC 9457). ' +
        'Every answer has the header `request-id`, which the log of the service has too; an id of your own in `request-id` or `x-request-id` is logged with it.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: FIRST_RUN_SERVER, description: 'The service that this document describes.' }],
    tags: [
      { name: 'Intake', description: 'Requests, from the provider that posts them.' },
      { name: 'Webhooks', description: 'Results and events, posted to the provider.' },
      { name: 'Delivery', description: 'Attempts, redelivery, the signing secret, events and endpoints.' },
      { name: 'Reports', description: 'How the work goes: figures by the hour and the day.' },
      { name: 'Work', description: 'The queue of verifiers: leases, evidence, its state.' },
      { name: 'Output', description: 'Results, from the verifiers that found them.' },
      {
        name: 'Access',
        description: 'Accounts and API keys, for administrators; who did what, for auditors.',
      },
      { name: 'Privacy', description: 'The erasure of a request, and legal holds.' },
    ],
    paths,
    webhooks: { verificationResult: { post: webhookOf(schemas) }, event: { post: eventWebhook() } },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-key',
          description: 'An API key, `ivk_live_…` or `ivk_test_…`.',
        },
      },
      schemas: { HTTPValidationError, Problem, RequestState: schemas.RequestState, Payer: schemas.Payer },
      examples: problemExamples(),
    },
  };
  return forGenerators(withoutRepeats(createDocument(document)));
}

/** The router's procedures, in its order. */
function proceduresOf(api: ApiRouter): Procedure[] {
  const procedures: Procedure[] = [];
  forEachOpenApiProcedure<TrpcMeta>(api._def.procedures, ({ meta }) => procedures.push(meta.procedure));
  return procedures;
}

/** Removes what the schema of a parameter or a header repeats of it: its description, and `param`. */
function withoutRepeats(document: OpenApiDocument): OpenApiDocument {
  const operations = Object.values(document.paths ?? {}).flatMap(({ get, post }) => [get, post]);
  for (const operation of operations) {
    const headers = Object.values(operation?.responses ?? {}).flatMap((response: ResponseObject) =>
      Object.values(response.headers ?? {}),
    );
    for (const place of [...(operation?.parameters ?? []), ...headers] as readonly Described[]) {
      if (!place.schema) continue;
      delete place.schema['param'];
      if (place.schema['description'] === place.description) delete place.schema['description'];
    }
  }
  return document;
}

interface Described {
  readonly description?: string;
  readonly schema?: Record<string, unknown>;
}

interface ResponseObject {
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** The whole document as packages/client ships it: indented, so that a change shows as lines. */
export function openApiText(api: ApiRouter, schemas: Schemas): string {
  return `${JSON.stringify(createOpenApiDocument(api, schemas), null, 2)}\n`;
}

/** The documents that `/openapi.json` serves, without white space, by audience. */
export function createOpenApiTexts(api: ApiRouter, schemas: Schemas) {
  const whole = createOpenApiDocument(api, schemas);
  const texts = new Map<Audience, string>();
  /** @param origin is named as the server. */
  return (audience: Audience, origin: string): string => {
    let text = texts.get(audience);
    if (text === undefined) texts.set(audience, (text = JSON.stringify(forAudience(whole, audience))));
    return text.replace(`"url":"${FIRST_RUN_SERVER}"`, () => `"url":${JSON.stringify(origin)}`);
  };
}

/** Problems that no documented operation answers: unknown addresses and methods, tRPC's batches, the console. */
const UNDOCUMENTED: ReadonlySet<ProblemCode> = new Set([
  'method_not_allowed',
  'idempotency_key_on_batch',
  'header_on_batch',
  'signed_out',
  'link_not_valid',
  'cross_site',
  'fresh_sign_in_required',
  'passkey_refused',
]);

const CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** The id that finds a failed call's log line. */
const TRACE = '2f1b8a52-7c1d-4b0e-9a4e-6f3f0d1c2b3a';

/** An example of every problem to refer to, except `forbidden`, which names its operation's scopes. */
function problemExamples(): NonNullable<ZodOpenApiComponentsObject['examples']> {
  return Object.fromEntries(
    CODES.filter((code) => code !== 'forbidden' && !UNDOCUMENTED.has(code)).map((code) => [
      code,
      { summary: PROBLEMS[code].title, value: problemBody(new ProblemError(code), TRACE) },
    ]),
  );
}

const WEBHOOK_TEXT = `Verify the signature over the raw bytes before anything else, keep the \`webhook-id\`s that you have seen (delivery is at least once), and answer 2xx within 15 seconds.

**Verify.** Webhooks are signed as Standard Webhooks describes: the libraries \`standardwebhooks\` for Python, JavaScript, Go, Java, Kotlin, Rust, Ruby, PHP and C# verify them. Give such a library the secret as \`webhookSecret.get\` returns it (\`GET /webhook-secret\`, scope \`secrets\`). Without one, the key of the HMAC-SHA256 is the base64 after \`whsec_\`, decoded. Refuse a \`webhook-timestamp\` more than 5 minutes from your clock: each attempt has a new one, in a signature of its own.

**Attempts.** Until you answer 2xx, attempts follow after ${DEFAULT_RETRY_SCHEDULE_TEXT.replaceAll(',', ', ')}, each wait counted from the attempt before it and up to 20 % shorter or longer. \`Retry-After\` may lengthen a wait, and 410 ends the attempts. Then the request is \`error_sending_webhook\`, until \`deliveries.redeliverMatching\` sends the result again.`;

/** The headers of every webhook: what each holds, and an example. */
const signedHeaders = (id: string) =>
  ({
    [WEBHOOK_HEADERS.id]: ['Names the message: the same on every attempt and redelivery.', id],
    [WEBHOOK_HEADERS.timestamp]: ['When this attempt was signed, in seconds since 1970.', '1795169700'],
    [WEBHOOK_HEADERS.signature]: [
      'Standard Webhooks: `v1,` and base64 HMAC-SHA256 over `id.timestamp.body`; several during a rotation.',
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ],
  }) as const;

/** What a receiver answers. */
const RECEIVERS_ANSWERS = {
  '2XX': { description: 'Received. Decided only by the status.' },
  '410': { description: 'Gone: no further attempt is made.' },
  default: { description: 'Tried again on the schedule; redirects are not followed.' },
};

const toHeaders = (headers: Readonly<Record<string, readonly [string, string]>>) =>
  z.object(
    Object.fromEntries(
      Object.entries(headers).map(([name, [description, example]]) => [
        name,
        (name === WEBHOOK_HEADERS.verificationBenefits ? z.string().optional() : z.string()).meta({
          description,
          param: { example },
        }),
      ]),
    ),
  );

/** Describes the call that the service makes to endpoints. */
function eventWebhook(): ZodOpenApiOperationObject {
  const example: WebhookEvent = {
    id: EXAMPLE_IDS.event,
    type: 'request.answered',
    account_id: EXAMPLE_IDS.account,
    occurred_at: '2026-11-20T10:15:00.000Z',
    number: 1,
    data: { request_id: EXAMPLE_IDS.request, version: 1 },
  };
  return {
    operationId: 'event',
    summary: 'An event, posted to an endpoint',
    tags: ['Webhooks'],
    description:
      'Posted to each endpoint that has the type of the event, signed with the secret of that endpoint, and attempted like a result. It names ids only: read the rest by them. Delivery is at least once and in no order: keep the `webhook-id`s that you have seen, sort the events of a request by `number`, and ignore types that you do not know. `events.list` has what you missed.',
    security: [],
    requestParams: { header: toHeaders(signedHeaders(EXAMPLE_IDS.event)) },
    requestBody: { required: true, content: { 'application/json': { schema: WebhookEvent, example } } },
    responses: {
      ...RECEIVERS_ANSWERS,
      '410': { description: 'Gone: the endpoint is disabled.' },
    },
  };
}

/** Describes the call that the service makes to callback addresses. */
function webhookOf(schemas: Schemas): ZodOpenApiOperationObject {
  const headers = {
    ...signedHeaders(EXAMPLE_IDS.delivery),
    [WEBHOOK_HEADERS.verificationVersion]: [
      'The version of the result, from 1; a correction is a new message with the next version.',
      '1',
    ],
    [WEBHOOK_HEADERS.verificationBenefits]: [
      'The path at which the benefits of this version are read; absent where it came without. Not signed.',
      `/requests/${EXAMPLE_IDS.request}/benefits?version=1`,
    ],
  } as const;
  return {
    operationId: 'verificationResult',
    summary: 'The result, posted to your callback_url',
    tags: ['Webhooks'],
    description: WEBHOOK_TEXT,
    security: [],
    requestParams: { header: toHeaders(headers) },
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.ResponseModel, example: exampleOutput(schemas) } },
    },
    responses: RECEIVERS_ANSWERS,
  };
}
