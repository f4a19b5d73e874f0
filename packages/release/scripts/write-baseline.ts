/** Writes the contract of the source as that of the last release: once for each release, when it is published. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentContract, writeBaseline } from '../src/baseline.ts';

const document = join(import.meta.dirname, '../../client/openapi.json');
writeBaseline(currentContract(JSON.parse(readFileSync(document, 'utf8'))));
