/** Writes packages/client/openapi.json: the document that `/openapi.json` serves, for the placeholder payers. */
import { writeFileSync } from 'node:fs';
import { createSchemas, DEFAULT_PAYERS } from '@insurance-verification/schema';
import { openApiText } from '../src/http/openapi/openapi.ts';
import { createRouter } from '../src/router.ts';

const schemas = createSchemas({ payers: DEFAULT_PAYERS });
const path = new URL('../../../packages/client/openapi.json', import.meta.url);
writeFileSync(path, openApiText(createRouter(schemas), schemas));
