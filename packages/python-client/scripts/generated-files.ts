import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readProviderDocument } from './provider-document.ts';
import { pythonErrors } from './python-errors.ts';
import { pythonModels } from './python-models.ts';
import { pythonOperations } from './python-operations.ts';

const textAt = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The files that are made from the contract, by their path in this package. They are not committed. */
export function generatedFiles(): Readonly<Record<string, string>> {
  const document = readProviderDocument();
  const manifest = fileURLToPath(import.meta.resolve('@insurance-verification/client/package.json'));
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const folder = 'src/insurance_verification';
  return {
    LICENSE: textAt('../../../LICENSE'),
    [`${folder}/_version.py`]: `__version__ = "${version}"\n`,
    [`${folder}/errors.py`]: pythonErrors(document.problemCodes),
    [`${folder}/models.py`]: pythonModels(document.models),
    [`${folder}/_operations.py`]: pythonOperations(document),
  };
}
