import { EXAMPLE_IDS, type Operation } from '@insurance-verification/schema/contract';
import * as z from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { pathParameters } from '../../procedure/input-locations.ts';
import { mayBeLeftOut } from '../../procedure/procedure.ts';
import { responsesOf } from './responses-of.ts';

/** An operation as the document describes it. */
export function operationOf(operation: Operation): ZodOpenApiOperationObject {
  const { method, path, scopes, takesIdempotencyKey, input, example } = operation;
  const inPath = pathParameters(path);
  const rest = Object.keys(input?.shape ?? {}).filter((field) => !inPath.includes(field));
  const reads = method === 'GET';
  const body = rest.length > 0 && !reads ? (operation.body ?? input) : undefined;
  const inQuery = reads ? rest : [];
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
    ...((inPath.length > 0 || inQuery.length > 0 || takesIdempotencyKey) && {
      requestParams: {
        ...(inPath.length > 0 && { path: parametersOf(inPath, PATH_EXAMPLES) }),
        ...(inQuery.length > 0 && { query: parametersOf(inQuery, example) }),
        ...(takesIdempotencyKey && { header: CreateHeaders }),
      },
    }),
    ...(body && {
      requestBody: {
        required: !mayBeLeftOut(body),
        content: {
          'application/json': {
            // FastAPI treats an omitted body and null alike, and its documents say so.
            schema: mayBeLeftOut(body) ? body.nullable() : body,
            example,
          },
        },
      },
    }),
    responses: responsesOf(operation),
  };
}

/** Who may call it, in a sentence; none where everybody may. */
function callersOf({ scopes, forPeople }: Operation): string[] {
  if (forPeople) return ['For people who are signed in to the console: a key is refused.'];
  return scopes.length > 0 ? [`Scope: ${scopes.join(' or ')}.`] : [];
}

const PATH_EXAMPLES = {
  request_id: EXAMPLE_IDS.request,
  delivery_id: EXAMPLE_IDS.delivery,
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
const CreateHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({
      description:
        'A retry with the same key, body, `Service-Date` and `Needed-By` gets the first answer again; remembered for 24 hours at least.',
      param: { example: 'visit-1181' },
    }),
  'Service-Date': z.string().optional().meta({
    description:
      'The day to ask the payer about, of the calendar in its zone, at most a year before or after today; the day of asking without it. As `2026-12-03`.',
  }),
  'Needed-By': z.string().optional().meta({
    description:
      'When the result is needed, an instant to come (RFC 3339), as `2026-11-26T17:00:00Z`. Of an account’s requests the earliest is worked on first; a request without it counts as needed a day after it came.',
  }),
});
