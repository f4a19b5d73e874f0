import fc from 'fast-check';
import { arbitraryBody, type Body } from './arbitrary-body.ts';
import { arbitraryOf, MARK } from './arbitrary-of.ts';
import type { Document } from './document.ts';

/** One call of a documented operation, over REST or tRPC. */
export interface Call {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | null;
  /** The documented statuses of the operation. */
  readonly documented: ReadonlySet<number>;
  readonly isTrpc: boolean;
  /** Whether the document allows all of it, and no stored data can conflict with it. */
  readonly isValid: boolean;
}

export interface Known {
  readonly key: string;
  /** Ids of stored objects, some of each kind. */
  readonly ids: readonly string[];
}

/** Operations whose input cannot conflict with stored data. */
export const alwaysAccepted = new Set(['requests.create', 'verificationOutput.submit']);

const oddText = fc.string({ unit: 'binary' }).map((text) => MARK + text.toWellFormed());
/** A row of a batch: with the address that each needs, it is a request. */
const ROW = { $ref: '#/components/schemas/RequestInfo' };

const noBody: Body = { bytes: new Uint8Array(), isValid: true };

/**
 * Every operation with equal probability, over REST and tRPC, with inputs from valid to noise. A query has a fault in one
 * of eight of its parameters: the lists have up to a dozen, and with more faults none would be answered.
 */
export function arbitraryCall(document: Document, { key, ids }: Known): fc.Arbitrary<Call> {
  const id = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: oddText });
  const keys = fc.oneof(
    { weight: 12, arbitrary: fc.constant<string | null>(key) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(null, '', `${MARK}-0123456789-0123456789`, `ivk_live_${'0'.repeat(48)}`),
    },
  );
  const types = fc.oneof(
    { weight: 12, arbitrary: fc.constant('application/json') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('text/plain', 'application/x+json', 'multipart/form-data', `${MARK}/x`, ''),
    },
  );
  const extras = fc.oneof(
    { weight: 12, arbitrary: fc.constant<Record<string, string>>({}) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Record<string, string>>(
        { 'content-encoding': 'gzip' },
        { 'idempotency-key': `${MARK}-1` },
        { 'idempotency-key': `${MARK}\t` },
        { 'idempotency-key': 'x'.repeat(256) },
        { accept: 'application/jsonl' },
        { cookie: MARK },
      ),
    },
  );
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const content = operation.requestBody?.content;
      const schema = content?.['application/json']?.schema;
      const takesRows = content?.['application/x-ndjson'] !== undefined;
      const body: fc.Arbitrary<Body> = schema
        ? arbitraryBody(document, schema)
        : takesRows
          ? arbitraryBody(document, ROW)
          : fc.constant(noBody);
      const documented = new Set(Object.keys(operation.responses).map(Number));
      const query = (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .map((parameter) =>
          fc
            .oneof(
              { weight: 8, arbitrary: fc.constant(undefined) },
              { weight: 6, arbitrary: arbitraryOf(document, parameter.schema).map(String) },
              { weight: 1, arbitrary: oddText },
              { weight: 1, arbitrary: fc.constant('') },
            )
            .map((value) => [parameter.name, value] as const),
        );
      return fc
        .record({
          isTrpc: fc.boolean(),
          id,
          apiKey: keys,
          type: types,
          extra: extras,
          body,
          query: fc.tuple(...query),
        })
        .map(
          ({
            isTrpc,
            id: chosen,
            apiKey,
            type,
            extra,
            body: { bytes, isValid },
            query: chosenQuery,
          }): Call => {
            const { operationId } = operation;
            const given = chosenQuery.filter((entry): entry is [string, string] => entry[1] !== undefined);
            const name = /\{(\w+)\}/.exec(path)?.[1];
            const isPlain = apiKey === key && type === 'application/json' && Object.keys(extra).length === 0;
            const headers = { ...(apiKey !== null && { 'x-key': apiKey }), ...extra };
            const common = {
              operationId,
              documented,
              isTrpc,
              isValid: isValid && isPlain && alwaysAccepted.has(operationId),
            };
            if (!isTrpc) {
              const filled = path.replace(`{${name}}`, encodeURIComponent(chosen.toWellFormed()));
              const search = new URLSearchParams(Object.fromEntries(given)).toString();
              const hasBody = method === 'post' && (schema !== undefined || takesRows);
              const sentType = takesRows && type === 'application/json' ? 'application/x-ndjson' : type;
              return {
                ...common,
                method: method.toUpperCase(),
                path: search === '' ? filled : `${filled}?${search}`,
                headers: hasBody ? { ...headers, 'content-type': sentType } : headers,
                body: hasBody ? bytes : null,
              };
            }
            const input = trpcInput(
              bytes,
              name === undefined ? {} : { [name]: chosen },
              Object.fromEntries(given),
            );
            const target = `/trpc/${operationId}`;
            if (method === 'post')
              return {
                ...common,
                method: 'POST',
                path: target,
                headers: { ...headers, 'content-type': type },
                body: input,
              };
            return {
              ...common,
              method: 'GET',
              path: `${target}?input=${encodeURIComponent(new TextDecoder().decode(input))}`,
              headers,
              body: null,
            };
          },
        );
    }),
  );
  return fc.oneof(...calls);
}

/** The body preceded by REST's path and query parameters; without a body, only those. */
function trpcInput(
  body: Uint8Array,
  inPath: Record<string, string>,
  query: Record<string, string>,
): Uint8Array {
  const fields = {
    ...inPath,
    ...query,
    ...(/^\d{1,3}$/.test(query['limit'] ?? '') && { limit: Number(query['limit']) }),
  };
  const start = JSON.stringify(fields);
  if (start === '{}') return body;
  if (body[0] !== 0x7b || body.length < 3) return new TextEncoder().encode(start);
  return Uint8Array.of(...new TextEncoder().encode(`${start.slice(0, -1)},`), ...body.subarray(1));
}
