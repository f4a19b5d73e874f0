import {
  HTTPValidationError,
  Problem,
  type ProblemCode,
  PROBLEMS,
  toValidationErrors,
  type ValidationError,
} from '@insurance-verification/schema';
import { EXAMPLE_IDS, type Operation } from '@insurance-verification/schema/contract';
import * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { problemBody, ProblemError } from '../../procedure/problem.ts';
import { mayBeLeftOut } from '../../procedure/procedure.ts';
import { extraForbidden, inputLocations, pathParameters } from '../../procedure/unknown-members.ts';

/** An operation as the document describes it. */
export function operationOf(operation: Operation): ZodOpenApiOperationObject {
  const { method, path, scopes, takesIdempotencyKey, takesAskedWhen, takesRows, input, example } = operation;
  const inPath = pathParameters(path);
  const rest = Object.keys(input?.shape ?? {}).filter((field) => !inPath.includes(field));
  const reads = method === 'GET';
  const body = rest.length > 0 && !reads && !takesRows ? (operation.body ?? input) : undefined;
  const inQuery = reads ? rest : takesRows ? rest.filter((field) => field !== 'rows') : [];
  const parametersOf = (names: readonly string[], examples: unknown) =>
    z.object(
      Object.fromEntries(
        names.map((name) => [name, withExample(input?.shape[name] as z.ZodType, name, examples)]),
      ),
    );
  return {
    operationId: operation.name,
    summary: operation.summary,
    description: [operation.description, ...callersOf(operation)].join('\n\n'),
    tags: [operation.tag],
    security: scopes.length > 0 ? [{ apiKey: [] }] : [],
    ...((inPath.length > 0 || inQuery.length > 0 || takesIdempotencyKey || takesAskedWhen) && {
      requestParams: {
        ...(inPath.length > 0 && { path: parametersOf(inPath, PATH_EXAMPLES) }),
        ...(inQuery.length > 0 && { query: parametersOf(inQuery, example) }),
        ...(takesAskedWhen && { header: takesIdempotencyKey ? CreateHeaders : AskedWhenHeaders }),
        ...(takesRows && { header: BatchHeaders }),
      },
    }),
    ...(body && {
      requestBody: {
        required: !mayBeLeftOut(body),
        content: {
          'application/json': {
            // FastAPI treats an omitted body and null alike, and its documents say so.
            schema: mayBeLeftOut(body) ? body.nullable() : body,
            ...(operation.examples ? { examples: operation.examples } : { example }),
          },
        },
      },
    }),
    ...(takesRows && { requestBody: rowsBody(example) }),
    responses: responsesOf(operation),
  };
}

/** Who may call it, in a sentence; none where everybody may. */
function callersOf({ scopes, forPeople }: Operation): string[] {
  if (forPeople) return ['For people who are signed in to the console: a key is refused.'];
  return scopes.length > 0 ? [`Scope: ${scopes.join(' or ')}.`] : [];
}

const PATH_EXAMPLES = {
  batch_id: EXAMPLE_IDS.batch,
  request_id: EXAMPLE_IDS.request,
  delivery_id: EXAMPLE_IDS.delivery,
  endpoint_id: EXAMPLE_IDS.endpoint,
  held_id: EXAMPLE_IDS.held,
  erasure_id: EXAMPLE_IDS.erasure,
  hold_id: EXAMPLE_IDS.hold,
  staff_id: EXAMPLE_IDS.staff,
  session_id: EXAMPLE_IDS.session,
  audit_id: '312391',
  passkey_id: EXAMPLE_IDS.passkey,
  account_id: EXAMPLE_IDS.account,
  key_id: EXAMPLE_IDS.key,
};

function withExample(field: z.ZodType, name: string, examples: unknown): z.ZodType {
  const { [name]: example } = examples as Record<string, unknown>;
  return field.meta({ ...field.meta(), param: { example } });
}

// No examples of times: the page would send them long after they are past. And no formats: of an operation with a date in a
// header openapi-python-client makes nothing.
const AskedWhenHeaders = z.object({
  'Service-Date': z.string().optional().meta({
    description:
      'The day to ask the payer about, of the calendar in its zone, at most a year before or after today; the day of asking without it. As `2026-12-03`.',
  }),
  'Needed-By': z.string().optional().meta({
    description:
      'When the result is needed, an instant to come (RFC 3339), as `2026-11-26T17:00:00Z`. Of an account’s requests the earliest is worked on first.',
  }),
  Gender: z
    .string()
    .optional()
    .meta({
      description: 'The patient’s, `F`, `M` or `U`, for a payer that asks for it (`asks_gender`).',
      param: { example: 'F' },
    }),
});

const CreateHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({
      description:
        'A retry with the same key, body and headers gets the first answer again; remembered for 24 hours at least.',
      param: { example: 'visit-1181' },
    }),
  ...AskedWhenHeaders.shape,
});

const BatchHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .meta({
      description: 'Names the file; remembered for 24 hours at least.',
      param: { example: 'visits-2026-11-21' },
    }),
  'Batch-Label': z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({
      description: 'A name for people, without patients’ data.',
      param: { example: 'Visits of November 21' },
    }),
  'Callback-Url': z
    .string()
    .optional()
    .meta({
      description: 'For rows without `callback_url`.',
      param: { example: 'https://clinic.example/verified' },
    }),
  'Service-Date': z.string().optional().meta({
    description: 'For rows without `service_date`.',
  }),
  'Needed-By': z.string().optional().meta({
    description: 'For rows without `needed_by`.',
  }),
});

/** A file of rows: text to a generator, which has no name for a stream of objects. */
const textOf = (description: string) => ({ type: 'string', description }) as const;

function rowsBody(example: unknown): NonNullable<ZodOpenApiOperationObject['requestBody']> {
  const { rows } = example as { rows: readonly object[] };
  return {
    required: true,
    content: {
      'application/x-ndjson': {
        schema: textOf(
          'A row a line: a `RequestInfo`, with your own id as `reference` (64 characters), `service_date`, `needed_by` and `gender`.',
        ),
        example: rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
      },
      'text/csv': {
        schema: textOf('A header row as in `batches.template`, then the rows (RFC 4180).'),
      },
    },
  };
}

/** All pages of a list, an item a line. */
function linesContent(name: string, answers: Operation['answers']) {
  const [answer] = Object.values(answers) as readonly { readonly items: readonly object[] }[];
  const lines = [...(answer?.items ?? []), { end: true, rows: answer?.items.length }];
  return {
    'application/x-ndjson': {
      // As text, generated clients of Java, Kotlin, Python and Rust take it for JSON, or refuse it.
      schema: { ...textOf('An item a line.'), format: 'binary' },
      example: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    },
    ...(name === 'batches.results' && {
      'text/csv': {
        schema: textOf('The main values.'),
        example: 'row,reference,request_id,outcome,error,payer_name,plan_name,eligibility_status\r\n',
      },
    }),
  };
}

/** The problems that every operation can answer. */
const ALWAYS: readonly ProblemCode[] = [
  'bad_request',
  'request_timeout',
  'header_too_large',
  'internal',
  'unavailable',
];

/** The answer to an `If-None-Match` that still holds. */
const UNCHANGED: [status: string, response: ZodOpenApiResponsesObject['200']] = [
  '304',
  { description: 'Nothing has changed.' },
];

/** Every status an operation can answer, each with examples. */
function responsesOf(operation: Operation): ZodOpenApiResponsesObject {
  const { input, output } = operation;
  const open = operation.name === 'verificationOutput.submit'; // the spec leaves its answer open
  const examples = Object.fromEntries(
    Object.entries(operation.answers).map(([name, value]) => [name, { value }]),
  );
  const responses: [status: string, response: ZodOpenApiResponsesObject['200']][] = [
    [
      String(operation.status ?? 200),
      {
        description: 'Success',
        content: operation.answersLines
          ? linesContent(operation.name, operation.answers)
          : { 'application/json': { schema: open ? {} : output, examples } },
        ...answerHeaders(operation),
      },
    ],
    ...(operation.isTagged ? [UNCHANGED] : []),
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
  const isCounted = operation.limit !== undefined || operation.anonymous !== undefined;
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
  const { name, limit, anonymous, reportsIgnoredMembers, takesIdempotencyKey, takesAskedWhen, isTagged } =
    operation;
  const headers = {
    ...(isTagged && { ETag: entityTag, 'Retry-After': retryAfter }),
    ...(takesIdempotencyKey && { 'Idempotency-Replayed': idempotencyReplayed }),
    ...(name === 'requests.create' && { 'Callback-Url-Blocked': callbackUrlBlocked }),
    ...(takesAskedWhen && { 'Service-Date': serviceDate, 'Needed-By': neededBy }),
    ...(reportsIgnoredMembers && { 'Ignored-Members': ignoredMembers }),
    ...(name === 'requests.create' && { 'Doubtful-Members': doubtfulMembers }),
    ...((limit ?? anonymous) && rateLimitFields),
  };
  return Object.keys(headers).length > 0 ? { headers: z.object(headers) } : {};
}

const entityTag = z.string().meta({ description: 'For `If-None-Match`.' });

const retryAfter = z.string().optional().meta({ description: 'Seconds to wait.' });

const idempotencyReplayed = z.literal('true').optional().meta({
  description: '`true` when this is the first answer to the same Idempotency-Key again.',
});

const callbackUrlBlocked = z.enum(['not_https', 'no_port', 'blocked_address']).optional().meta({
  description:
    'Why `callback_url` can never be called, where that is known already. In production such a request is refused, with 422 `callback_url_blocked`.',
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
    'In a test account: members whose values no payer would know, such as `patient_info.dob, provider_info.npi`.',
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

const NO_KEY: ValidationError = {
  loc: ['header', 'idempotency-key'],
  msg: 'Field required',
  type: 'missing',
};

/** A 422 of the operation: for an empty body or a wrong value, for an unknown member where it takes no input. */
function faultExample(input: z.ZodObject | undefined, operation: Operation) {
  if (operation.takesRows) return { detail: [NO_KEY] };
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
