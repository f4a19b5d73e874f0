import { Readable } from 'node:stream';
import pg from 'pg';

/** The address and credentials for copying a whole cluster. */
export interface ClusterAddress {
  readonly port: number;
  /** The password of the superuser `postgres`. */
  readonly password: string;
}

/**
 * Includes the WAL that makes the copy consistent, so a server can start on it as is. `fast` forces a checkpoint at
 * once rather than waiting for the next one.
 */
const COMMAND = `BASE_BACKUP ( LABEL 'iv backup', CHECKPOINT 'fast', WAL true, MANIFEST 'no' )`;

/**
 * Streams the cluster of a running server as a tar, consistent as of the stream's end, while others keep writing. Uses
 * PostgreSQL's replication protocol directly, as `pg_basebackup` does: the embedded server's packages do not include
 * that program. A page with a wrong checksum fails the stream.
 */
export async function streamCluster({ port, password }: ClusterAddress): Promise<Readable> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    replication: 'true',
    connectionTimeoutMillis: 20_000,
  } as pg.ClientConfig); // the types lack `replication`
  client.on('error', () => undefined); // the stream reports it
  await client.connect();
  const backup = new BaseBackup(() => void client.end().catch(() => undefined));
  client.query(backup);
  return backup.tar;
}

/** The response to one BASE_BACKUP: two rows, then the archive as one COPY, then a row. */
class BaseBackup implements pg.Submittable {
  readonly tar: Readable;
  #socket: { pause(): unknown; resume(): unknown } | undefined;
  #archiveCount = 0;

  constructor(onEnd: () => void) {
    this.tar = new Readable({
      read: () => void this.#socket?.resume(),
      destroy: (err, done) => {
        onEnd();
        done(err);
      },
    });
  }

  submit(connection: pg.Connection): void {
    this.#socket = connection.stream;
    connection.query(COMMAND);
  }

  /** https://www.postgresql.org/docs/18/protocol-replication.html: `n` begins an archive, `d` carries part of it. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const kind = String.fromCharCode(chunk[0] ?? 0);
    if (kind === 'n') this.#archiveCount += 1;
    // The first archive is the cluster; a second would be a tablespace, which the embedded server never has.
    if (this.#archiveCount > 1)
      this.tar.destroy(new Error('The cluster has tablespaces outside of its folder.'));
    // Copied, because pg reads the next message into the same memory.
    else if (kind === 'd' && !this.tar.push(Buffer.from(chunk.subarray(1)))) this.#socket?.pause();
  }

  handleError(err: Error): void {
    this.tar.destroy(err);
  }

  handleReadyForQuery(): void {
    this.tar.push(null);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
}
