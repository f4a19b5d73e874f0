import { readFileSync } from 'node:fs';
import { DEFAULT_PAYERS } from '@insurance-verification/schema';
import { createContract, operationsByName } from '@insurance-verification/schema/contract';
import { openApiText } from '../src/http/openapi/openapi.ts';
import { createRouter } from '../src/router.ts';
import { clientOperations } from './client-operations.ts';
import { operationTable } from './operation-table.ts';

const root = new URL('../../../', import.meta.url);
const document = new URL('packages/client/openapi.json', root);
const types = new URL('packages/client/src/router/operations.ts', root);
const page = new URL('apps/docs/contract.md', root);

/** The files that are made from the router, each with its text. */
export function contract(): { readonly file: URL; readonly text: string }[] {
  const { operations, schemas } = createContract({ payers: DEFAULT_PAYERS });
  const router = createRouter(operations);
  const all = Object.values(operationsByName(operations));
  const table = operationTable(all);
  return [
    { file: document, text: openApiText(router, schemas) },
    { file: types, text: clientOperations(all, schemas) },
    { file: page, text: readFileSync(page, 'utf8').replace(/^\| operation [^]*?(?=\n\n)/m, () => table) },
  ];
}
