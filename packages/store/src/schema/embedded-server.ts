import {
  type ClusterMark,
  type EmbeddedServer,
  EmbeddedServerError,
  startServer,
  type StartServerOptions,
} from '@insurance-verification/embedded-postgres';
import { describeOtherSchema, ownMark, SCHEMA_DIGEST, type SchemaMark, schemaMarkOf } from './schema.ts';

/**
 * Starts the embedded server on a data directory whose tables have this build's schema.
 * @throws EmbeddedServerError `other_schema` for another one, before the server starts; and its other codes
 */
export const startEmbeddedServer = (options: Omit<StartServerOptions, 'mark'>): Promise<EmbeddedServer> =>
  startServer({ ...options, mark: SCHEMA_MARK });

/** The schema that a cluster's tables have. A cluster without a readable mark is older than the mark. */
export const SCHEMA_MARK: ClusterMark = {
  file: 'service-schema.json',
  get text() {
    return `${JSON.stringify(ownMark())}\n`;
  },
  check: (text, what) => {
    const mark = text === null ? null : markIn(text);
    if (mark?.digest !== SCHEMA_DIGEST)
      throw new EmbeddedServerError('other_schema', describeOtherSchema(what, mark));
  },
};

function markIn(text: string): SchemaMark | null {
  try {
    return schemaMarkOf(JSON.parse(text));
  } catch {
    return null; // no JSON: another program's, or cut off
  }
}
