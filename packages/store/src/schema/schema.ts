import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../schema/', import.meta.url));

/** The statements that make all tables of a new database: the files of `packages/store/schema`, in order. */
export const SCHEMA: string = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql'))
  .toSorted()
  .map((name) => readFileSync(`${FOLDER}${name}`, 'utf8'))
  .join('\n');

/** A schema, and the build that made its tables. */
export interface SchemaMark {
  /** SHA-256 of {@link SCHEMA}, in hexadecimal. */
  readonly digest: string;
  /** A commit, or a digest's beginning where the build does not know its commit. */
  readonly build: string;
}

export const SCHEMA_DIGEST: string = createHash('sha256').update(SCHEMA).digest('hex');

/** What this build leaves in a database or a data folder that it makes. */
export function ownMark(): SchemaMark {
  return { digest: SCHEMA_DIGEST, build: commitOfCheckout() ?? `with schema ${SCHEMA_DIGEST.slice(0, 8)}` };
}

/** Null outside of a checkout, as in the image, or where git refuses or is not installed. */
function commitOfCheckout(): string | null {
  try {
    return execFileSync('git', ['-C', FOLDER, 'rev-parse', '--short=8', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

/** A mark as it was read; null where it is not ours. */
export function schemaMarkOf(value: unknown): SchemaMark | null {
  const { digest, build } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof digest === 'string' && typeof build === 'string' ? { digest, build } : null;
}

/** The last build whose tables carry no mark. */
const LAST_WITHOUT_MARK = '126fa09d';

/**
 * Why tables of another schema are not changed. Until 1.0.0 the schema is edited in place, so there is no way from one to
 * the next but the build that made it.
 * @param what they are in: `The database in /srv/data`.
 * @param mark null where they carry none.
 */
export function describeOtherSchema(what: string, mark: SchemaMark | null): string {
  const build = mark?.build ?? LAST_WITHOUT_MARK;
  return (
    `${what} has the tables of another build: go on with build ${build}, or begin with an empty one; ` +
    `nothing was changed.`
  );
}
