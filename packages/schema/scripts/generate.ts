/** Writes json-schema/*.json and fixtures/*.json: `pnpm --filter @insurance-verification/schema generate`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from './generated-files.ts';

for (const [name, text] of generatedFiles()) {
  const path = fileURLToPath(new URL(`../${name}`, import.meta.url));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
