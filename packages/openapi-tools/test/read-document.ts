import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The path of the published document. */
export const DOCUMENT_PATH = fileURLToPath(
  import.meta.resolve('@insurance-verification/client/openapi.json'),
);

/** The parts of an OpenAPI document that the tests read or change. */
export interface Document {
  info: { description?: string };
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  requestBody?: {
    content: { 'application/json': { examples: Record<string, { value: Record<string, unknown> }> } };
  };
}

/** The published document, a new copy each time. */
export const readDocument = (): Document => JSON.parse(readFileSync(DOCUMENT_PATH, 'utf8')) as Document;

/** The document's example body for a create. */
export function exampleOfCreate(): Record<string, unknown> {
  const { requestBody } = readDocument().paths['/requests/']?.['post'] ?? {};
  const example = requestBody?.content['application/json'].examples['member'];
  if (!example) throw new Error('The create has no example.');
  return example.value;
}
