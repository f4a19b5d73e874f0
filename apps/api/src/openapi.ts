import {
  HTTPValidationError,
  PROBLEMS,
  Problem,
  type ProblemCode,
  type Schemas,
} from '@insurance-verification/schema';
import { WEBHOOK_HEADERS } from '@insurance-verification/webhook';
import { forEachOpenApiProcedure } from 'trpc-to-openapi';
import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { pathParameters } from './input-locations.ts';
import { exampleOutput } from './output/example-output.ts';
import type { ApiRouter } from './router.ts';
import type { TrpcMeta } from './trpc.ts';
import type { Meta } from './meta.ts';
import { mayBeLeftOut, type Procedure } from './procedure.ts';

/** What every operation can answer beside its own. */
const always: readonly ProblemCode[] = [
  'bad_request',
  'request_timeout',
  'header_too_large',
  'internal',
  'unavailable',
];

/**
 * The OpenAPI 3.1 document, made from the procedures' meta and models with zod-openapi's `createDocument`, which
 * gives one component a model. trpc-to-openapi's own generator would strip trailing slashes, inline bodies, document
 * another error shape and secure every operation.
 */
function createOpenApiDocument(api: ApiRouter, schemas: Schemas): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {};
  forEachOpenApiProcedure<TrpcMeta>(api._def.procedures, ({ path: operationId, meta: { procedure } }) => {
    const { path, method } = procedure.meta.openapi;
    (paths[path] ??= {})[method.toLowerCase() as 'get' | 'post'] = operation(operationId, procedure);
  });
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Insurance Verification API',
      version: '0.1.0',
      description:
        'Post a verification request; receive one signed, correct result at your callback address. Times are UTC. ' +
        'Unknown fields are ignored. A 422 is `HTTPValidationError`; every other error is `application/problem+json` (RFC 9457).',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Intake', description: 'Requests, from the provider that posts them.' },
      { name: 'Work', description: 'The queue of verifiers: leases, evidence, how it stands.' },
      { name: 'Output', description: 'Results, from the verifiers that found them.' },
      { name: 'Delivery', description: 'Webhooks: attempts, redelivery, the signing secret.' },
      {
        name: 'Access',
        description: 'Accounts and API keys, for administrators; who did what, for auditors.',
      },
    ],
    paths,
    webhooks: { verificationResult: { post: webhook(schemas) } },
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
    },
  });
}

/** The document as `/openapi.json` serves it and packages/client ships it: indented, so that a change shows as lines. */
export function openApiText(api: ApiRouter, schemas: Schemas): string {
  return `${JSON.stringify(createOpenApiDocument(api, schemas), null, 2)}\n`;
}

function operation(operationId: string, { meta, input, output }: Procedure): ZodOpenApiOperationObject {
  const { openapi } = meta;
  const parameters = new Set(pathParameters(openapi.path));
  const rest = Object.keys(input?.shape ?? {}).filter((name) => !parameters.has(name));
  const reads = openapi.method === 'GET';
  const body = rest.length > 0 && !reads ? (meta.body ?? input) : undefined;
  const partOf = (names: readonly string[]) =>
    z.object(Object.fromEntries(names.map((name) => [name, input?.shape[name] as z.ZodType])));
  const idempotent = operationId === 'requests.create';
  return {
    operationId,
    ...(openapi.summary !== undefined && { summary: openapi.summary }),
    ...(meta.scopes.length > 0 && { description: `Scope: ${meta.scopes.join(' or ')}.` }),
    ...(openapi.tags && { tags: [...openapi.tags] }),
    security: meta.scopes.length > 0 ? [{ apiKey: [] }] : [],
    ...((parameters.size > 0 || (reads && rest.length > 0) || idempotent) && {
      requestParams: {
        ...(parameters.size > 0 && { path: partOf([...parameters]) }),
        ...(reads && rest.length > 0 && { query: partOf(rest) }),
        ...(idempotent && { header: IdempotencyHeader }),
      },
    }),
    ...(body && {
      requestBody: {
        required: !mayBeLeftOut(body),
        content: {
          'application/json': {
            // Left out and null are one to FastAPI too, whose documents say it so.
            schema: mayBeLeftOut(body) ? body.nullable() : body,
            ...(meta.example !== undefined && { example: meta.example }),
          },
        },
      },
    }),
    responses: responses(meta, { operationId, output, body: body !== undefined, input: input !== undefined }),
  };
}

const IdempotencyHeader = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().meta({
    description:
      'A retry with the same key and body gets the first answer again; remembered for 24 hours at least.',
  }),
});

interface Shape {
  readonly operationId: string;
  readonly output: z.ZodType;
  readonly body: boolean;
  readonly input: boolean;
}

function responses(meta: Meta, shape: Shape): ZodOpenApiResponsesObject {
  const problems: ProblemCode[] = [
    ...always,
    ...(meta.scopes.length > 0 ? (['unauthorized', 'forbidden', 'account_suspended'] as const) : []),
    'address_not_allowed',
    'rate_limited',
    'payload_too_large',
    'unsupported_content_encoding',
    ...(meta.problems ?? []),
  ];
  const isCounted = meta.limit !== undefined || meta.strangers !== undefined;
  const byStatus = Map.groupBy(new Set(problems), (code) => PROBLEMS[code].status);
  const problemResponses = [...byStatus].map(
    ([status, codes]) => [String(status), problemResponse(codes, isCounted)] as const,
  );
  const open = shape.operationId === 'verificationOutput.submit'; // the spec leaves its answer open
  const all = [
    [
      '200',
      {
        description: 'Success',
        content: { 'application/json': { schema: open ? {} : shape.output } },
        ...answerHeaders(meta, shape),
      },
    ] as const,
    ...(shape.input
      ? ([
          [
            '422',
            {
              description: 'The input is not valid',
              content: { 'application/json': { schema: HTTPValidationError } },
            },
          ],
        ] as const)
      : []),
    ...problemResponses,
  ];
  return Object.fromEntries([...all].sort(([a], [b]) => a.localeCompare(b))) as ZodOpenApiResponsesObject;
}

function answerHeaders({ limit, strangers }: Meta, { operationId }: Shape) {
  const description = '`true` when this is the first answer to the same Idempotency-Key again.';
  const headers = {
    ...(operationId === 'requests.create' && {
      'Idempotency-Replayed': z.literal('true').optional().meta({ description }),
    }),
    ...((limit ?? strangers) && rateLimitFields),
  };
  return Object.keys(headers).length > 0 ? { headers: z.object(headers) } : {};
}

/** Where a policy is in force for the caller. */
const rateLimitFields = {
  'RateLimit-Policy': z.string().optional().meta({
    description:
      'The policy that counted the call (draft-ietf-httpapi-ratelimit-headers-11), such as `"intake";q=60000;w=60`: its quota and window in seconds. Absent where none is in force.',
  }),
  RateLimit: z.string().optional().meta({
    description:
      'How the caller stands under it, such as `"intake";r=59120;t=1`: what is left, and the seconds until more is.',
  }),
};

function problemResponse(codes: readonly ProblemCode[], isCounted: boolean) {
  const retryAfter = codes.some(
    (code) => [409, 429, 503].includes(PROBLEMS[code].status) && PROBLEMS[code].retryable,
  );
  return {
    description: codes.map((code) => PROBLEMS[code].sentence).join(' '),
    content: { 'application/problem+json': { schema: Problem } },
    ...(retryAfter && {
      headers: z.object({
        'Retry-After': z.string().optional().meta({ description: 'Seconds to wait.' }),
        ...(isCounted && codes.includes('rate_limited') && rateLimitFields),
      }),
    }),
  };
}

function webhook(schemas: Schemas): ZodOpenApiOperationObject {
  const headers = {
    [WEBHOOK_HEADERS.id]: 'Names the message: the same on every attempt and redelivery.',
    [WEBHOOK_HEADERS.timestamp]: 'When this attempt was signed, in seconds since 1970.',
    [WEBHOOK_HEADERS.signature]:
      'Standard Webhooks: `v1,` and base64 HMAC-SHA256 over `id.timestamp.body`; several during a rotation.',
    [WEBHOOK_HEADERS.verificationVersion]:
      'The version of the result, from 1; a correction is a new message with the next version.',
  };
  return {
    operationId: 'verificationResult',
    summary: 'The result, posted to your callback_url',
    requestParams: {
      header: z.object(
        Object.fromEntries(
          Object.entries(headers).map(([name, description]) => [name, z.string().meta({ description })]),
        ),
      ),
    },
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.ResponseModel, example: exampleOutput(schemas) } },
    },
    responses: {
      '2XX': { description: 'Received. Decided by the status alone.' },
      '410': { description: 'Gone: no further attempt is made.' },
      default: { description: 'Tried again on the schedule; redirects are not followed.' },
    },
  };
}
