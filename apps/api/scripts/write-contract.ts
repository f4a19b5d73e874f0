/**
 * Writes what others read of the router, for the placeholder payers: the document that `/openapi.json` serves, the types
 * of the clients, and the table of the contract.
 */
import { writeFileSync } from 'node:fs';
import { contract } from './contract.ts';

for (const { file, text } of contract()) writeFileSync(file, text);
