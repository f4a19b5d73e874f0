import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSecretFiles } from '@insurance-verification/environment';
import { WrongUsageError } from '../failure/failure.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The service's address as given, checked by the client; undefined when not set. */
export function readServiceUrl(environment: Environment): string | undefined {
  return given(environment, 'IV_URL');
}

/**
 * The API key as given; undefined when not set.
 * @throws {WrongUsageError} when a secret's file is unusable; the same holds for every secret below.
 */
export function readApiKey(environment: Environment): string | undefined {
  return secret(environment, 'IV_API_KEY');
}

/** A secret that a service keeps in its `DATA_DIR`; undefined when it is missing or not readable. */
export function readKept(
  dataDir: string,
  name: 'api-key' | 'test-api-key' | 'encryption-key' | 'audit-seal-key',
): string | undefined {
  try {
    return readFileSync(join(dataDir, name), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** The database for migrations and the first key; bypasses a transaction pooler when a direct address is set. */
export function readDatabaseUrl(environment: Environment): string | undefined {
  return secret(environment, 'DATABASE_DIRECT_URL') ?? secret(environment, 'DATABASE_URL');
}

/** The key that encrypts the database. */
export function readEncryptionKey(environment: Environment): string | undefined {
  return secret(environment, 'ENCRYPTION_KEY');
}

/** The secret that webhooks are verified with, of an account that the API key is not of. */
export function readWebhookSecret(environment: Environment): string | undefined {
  return secret(environment, 'IV_WEBHOOK_SECRET');
}

/** The key that seals the audit, as PEM. */
export function readAuditSealKey(environment: Environment): string | undefined {
  return secret(environment, 'AUDIT_SEAL_KEY');
}

/** An empty variable counts as absent, as it does for the service. */
function given(environment: Environment, name: string): string | undefined {
  return environment[name] || undefined;
}

/** A variable whose value may also come from the file named by `…_FILE`. */
function secret(environment: Environment, name: string): string | undefined {
  const { environment: read, faults } = readSecretFiles(environment, [name]);
  if (faults.length > 0) throw new WrongUsageError(faults.join('\n'));
  return given(read, name);
}
