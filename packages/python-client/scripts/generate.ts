/** Writes the sources of the wheel that are made from the contract: models, errors, operations, the version. */
import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.ts';

for (const [path, text] of Object.entries(generatedFiles()))
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
