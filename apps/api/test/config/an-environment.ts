import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { expect } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/config.ts';

export const DATABASE_URL = 'postgres://user:secret-of-the-database@db.example:5432/ivs';
export const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
export const PAYERS = '["A","B","C","D"]';
export const PRODUCTION = { NODE_ENV: 'production', DATABASE_URL, ENCRYPTION_KEY, PAYERS };

export const aFile = (text: string) => {
  const path = join(aFolder(), 'payers.json');
  writeFileSync(path, text);
  return path;
};

/** The faults that a start would print. */
export function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err;
    const [first, ...faults] = err.message.split('\n');
    expect(first).toBe('The configuration cannot be used:');
    return faults.map((fault) => fault.trim());
  }
  return [];
}
