import { join } from 'node:path';
import { currentContract, lastRelease } from '@insurance-verification/release/baseline';
import { compareContracts } from '@insurance-verification/release/compare-contracts';
import { majorsOf } from '@insurance-verification/release/majors';
import { describeBreach } from '@insurance-verification/release/rules';
import { DEFAULT_PAYERS } from '@insurance-verification/schema';
import { createContract } from '@insurance-verification/schema/contract';
import { expect, test } from 'vitest';
import { openApiText } from '../src/http/openapi/openapi.ts';
import { createRouter } from '../src/router.ts';

/** Either keep what the line names, or add a changeset that says `major` for the package. */
test('nothing that the last release promised is broken without a major version', () => {
  const { operations, schemas } = createContract({ payers: DEFAULT_PAYERS });
  const document: unknown = JSON.parse(openApiText(createRouter(operations), schemas));
  const majors = majorsOf(join(import.meta.dirname, '../../../.changeset'));
  const broken = compareContracts(lastRelease(), currentContract(document));
  expect(broken.filter((breach) => !majors.has(breach.package)).map(describeBreach)).toEqual([]);
});
