import {
  HTTPValidationError,
  Problem,
  type ProblemCode,
  PROBLEMS,
  toValidationErrors,
} from '@insurance-verification/schema';
import type { Operation } from '@insurance-verification/schema/contract';
import * as z from 'zod';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import { inputLocations, pathParameters } from '../../procedure/input-locations.ts';
import { problemBody, ProblemError } from '../../procedure/problem/problem.ts';
import { extraForbidden } from '../../procedure/unknown-members.ts';

/** What every operation can answer besides its own problems. */
const ALWAYS: readonly ProblemCode[] = [
  'bad_request',
  'request_timeout',
  'header_too_large',
  'internal',
  'unavailable',
];

/** Every status an operation can answer, each with examples. */
export function responsesOf(operation: Operation): ZodOpenApiResponsesObject {
  const { input, output } = operation;
  const open = operation.name === 'verificationOutput.submit'; // the spec leaves its answer open
  const examples = Object.fromEntries(
    Object.entries(operation.answers).map(([name, value]) => [name, { value }]),
  );
  const responses: [status: string, response: ZodOpenApiResponsesObject['200']][] = [
    [
      '200',
      {
        description: 'Success',
        content: { 'application/json': { schema: open ? {} : output, examples } },
        ...answerHeaders(operation),
      },
    ],
    ...problemResponses(operation),
  ];
  responses.push([
    '422',
    {
      description: 'The input is not valid',
      content: {
        'application/json': { schema: HTTPValidationError, example: faultExample(input, operation) },
      },
    },
  ]);
  return Object.fromEntries(responses.sort(([a], [b]) => a.localeCompare(b)));
}

function problemResponses(operation: Operation): [string, ZodOpenApiResponsesObject['200']][] {
  const { scopes, forPeople } = operation;
  const codes: ProblemCode[] = [
    ...ALWAYS,
    ...(scopes.length > 0
      ? (['unauthorized', forPeople ? 'person_required' : 'forbidden', 'account_suspended'] as const)
      : []),

    'address_not_allowed',
    'rate_limited',
    'payload_too_large',
    'unsupported_content_encoding',
    ...(operation.problems ?? []),
  ];
  const byStatus = Map.groupBy(new Set(codes), (code) => PROBLEMS[code].status);
  return [...byStatus].map(([status, ofStatus]) => [String(status), problemResponse(ofStatus, operation)]);
}

function problemResponse(
  codes: readonly ProblemCode[],
  operation: Operation,
): ZodOpenApiResponsesObject['200'] {
  const isCounted = operation.limit !== undefined || operation.strangers !== undefined;
  const retryAfter = codes.some(
    (code) => [409, 429, 503].includes(PROBLEMS[code].status) && PROBLEMS[code].retryable,
  );
  return {
    description: codes.map((code) => PROBLEMS[code].sentence).join(' '),
    content: {
      'application/problem+json': {
        schema: Problem,
        examples: Object.fromEntries(codes.map((code) => [code, problemExample(code, operation)])),
      },
    },
    ...(retryAfter && {
      headers: z.object({
        'Retry-After': z.string().optional().meta({ description: 'Seconds to wait.' }),
        ...(isCounted && codes.includes('rate_limited') && rateLimitFields),
      }),
    }),
  };
}

/** Operations share one example per problem, except `forbidden`, which names the operation's scopes. */
function problemExample(code: ProblemCode, { scopes }: Operation) {
  if (code !== 'forbidden') return { $ref: `#/components/examples/${code}` };
  const err = new ProblemError(code, { requiredScopes: scopes });
  return { summary: PROBLEMS[code].title, value: problemBody(err, undefined) };
}

function answerHeaders(operation: Operation) {
  const { name, limit, strangers, reportsIgnoredMembers, takesIdempotencyKey } = operation;
  const headers = {
    ...(takesIdempotencyKey && { 'Idempotency-Replayed': idempotencyReplayed }),
    ...(name === 'requests.create' && { 'Callback-Url-Blocked': callbackUrlBlocked }),
    ...(name === 'requests.create' && { 'Service-Date': serviceDate, 'Needed-By': neededBy }),
    ...(reportsIgnoredMembers && { 'Ignored-Members': ignoredMembers }),
    ...(name === 'requests.create' && { 'Doubtful-Members': doubtfulMembers }),
    ...((limit ?? strangers) && rateLimitFields),
  };
  return Object.keys(headers).length > 0 ? { headers: z.object(headers) } : {};
}

const idempotencyReplayed = z.literal('true').optional().meta({
  description: '`true` when this is the first answer to the same Idempotency-Key again.',
});

const callbackUrlBlocked = z.enum(['not_https', 'no_port', 'blocked_address']).optional().meta({
  description:
    'Why `callback_url` can never be called, where that is known already: every attempt ends as blocked_address. In production such a request is refused instead, with 422 `callback_url_blocked`.',
});

const serviceDate = z.string().optional().meta({
  format: 'date',
  description: 'The day that the payer is asked about, if the call gave one.',
});

const neededBy = z.string().optional().meta({
  format: 'date-time',
  description: 'When the result is needed, as the call gave it.',
});

const doubtfulMembers = z.string().optional().meta({
  description:
    'In a test account: the members whose values cannot be right, such as `patient_info.dob, provider_info.npi`: an NPI with another check digit, a birth date that is no day of the last 130 years or may be two, a `TEST-…` member id that the sandbox does not know.',
});

const ignoredMembers = z.string().optional().meta({
  description:
    'In a test account: the unknown members of the body, such as `cpt_code, patient_info.birth_date`; percent-encoded, twenty at most, `...` for the others.',
});

/** Sent where a policy applies to the caller. */
const rateLimitFields = {
  'RateLimit-Policy': z.string().optional().meta({
    description:
      'The policy that counted the call (draft-ietf-httpapi-ratelimit-headers-11), such as `"intake";q=60000;w=60`: its quota and window in seconds. Absent where none is in force.',
  }),
  RateLimit: z.string().optional().meta({
    description:
      'What is left of that policy, such as `"intake";r=59120;t=1`: the units left, and the seconds until one more comes back.',
  }),
};

/** A 422 of the operation: for an empty body or a wrong value, for an unknown member where it takes no input. */
function faultExample(input: z.ZodObject | undefined, operation: Operation) {
  if (!input) return { detail: [extraForbidden(inputLocations(operation)(['limit']))] };
  for (const wrong of wrongInputs(input, operation)) {
    const { error } = input.safeParse(wrong);
    if (error) return { detail: toValidationErrors(error.issues, wrong, inputLocations(operation)) };
  }
  throw new TypeError(`${operation.name} accepts whatever it is sent.`);
}

/**
 * Inputs that some operation refuses, likely ones first. Path parameters are filled in where there are other fields.
 */
function* wrongInputs(input: z.ZodObject, { path: route }: Operation): Generator<object> {
  const inPath = pathParameters(route);
  const names = Object.keys(input.shape).filter((name) => !inPath.includes(name));
  const path = Object.fromEntries(inPath.map((name) => [name, name]));
  if (names.length === 0) yield {};
  yield path;
  for (const name of names) yield { ...path, [name]: 0 };
}
