import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLocalSecrets } from './local-secrets.ts';

// Broke: a key file of root's ended every start, though a start needs no key but the one that opens the database.
test('an API key that cannot be read counts as lost; what opens or seals the database does not', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ivs-secrets-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  // Nobody, not even root, can read a folder in the file's place.
  for (const name of ['api-key', 'test-api-key', 'encryption-key', 'audit-seal-key'])
    mkdirSync(join(dataDir, name));
  const secrets = openLocalSecrets(dataDir);
  expect(secrets.read('api-key')).toBeUndefined();
  expect(secrets.read('test-api-key')).toBeUndefined();
  expect(() => secrets.read('encryption-key')).toThrow(
    `DATA_DIR: ${join(dataDir, 'encryption-key')} cannot be read (EISDIR)`,
  );
  expect(() => secrets.read('audit-seal-key')).toThrow(
    `DATA_DIR: ${join(dataDir, 'audit-seal-key')} cannot be read (EISDIR), and the audit`,
  );
});
