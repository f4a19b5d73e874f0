import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PATH = fileURLToPath(import.meta.resolve('@insurance-verification/client/openapi.json'));

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
export const readDocument = (): Document => JSON.parse(readFileSync(PATH, 'utf8')) as Document;
