import type * as z from 'zod';
import {
  createJsonSchemas,
  DEFAULT_PAYERS,
  RequestInfo,
  ResponseModel,
  toValidationErrors,
} from '../src/index.ts';
import type { NamedBody } from './named-body.ts';
import { invalidRequests, validRequests } from './request-bodies.ts';
import { invalidResponses, validResponses } from './response-bodies.ts';

/** The files this package generates: path in the package → text. Over the placeholder payers. */
export function generatedFiles(): Map<string, string> {
  const files = new Map<string, string>();
  for (const [name, schema] of Object.entries(createJsonSchemas({ payers: DEFAULT_PAYERS }))) {
    files.set(`json-schema/${kebabCase(name)}.json`, textOf(schema));
  }
  files.set('fixtures/request-info-valid.json', textOf(validRequests));
  files.set(
    'fixtures/request-info-invalid.json',
    textOf(invalidRequests.map((row) => withDetail(RequestInfo, row))),
  );
  files.set('fixtures/response-model-valid.json', textOf(validResponses));
  files.set(
    'fixtures/response-model-invalid.json',
    textOf(invalidResponses.map((row) => withDetail(ResponseModel, row))),
  );
  return files;
}

function withDetail(schema: z.ZodType, { name, body }: NamedBody): object {
  const { error } = schema.safeParse(body);
  if (error === undefined) throw new Error(`The fixture "${name}" is meant to be refused, but is valid.`);
  return { name, body, detail: toValidationErrors(error.issues, body) };
}

const textOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** `HTTPValidationError` → `http-validation-error`. */
function kebabCase(name: string): string {
  return name
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase();
}
