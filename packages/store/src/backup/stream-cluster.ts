import { Readable } from 'node:stream';
import pg from 'pg';

/** Who may copy a whole cluster, and where its server is. */
export interface ClusterAddress {
  readonly port: number;
  /** Of the superuser `postgres`. */
  readonly password: string;
}

/**
 * With the WAL that makes the copy whole, so that a server started on it needs nothing else. `fast`: begun at once, not
 * at the next checkpoint.
 */
const COMMAND = `BASE_BACKUP ( LABEL 'iv backup', CHECKPOINT 'fast', WAL true, MANIFEST 'no' )`;

/**
 * The cluster of a running server as a tar, as of the moment when the stream ends, while others go on writing. It is
 * what `pg_basebackup` asks for, over PostgreSQL's own replication protocol: the packages that bring the embedded server
 * bring no such program. A page whose checksum is wrong fails it.
 */
export async function streamCluster({ port, password }: ClusterAddress): Promise<Readable> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    replication: 'true',
    connectionTimeoutMillis: 20_000,
  } as pg.ClientConfig); // the types do not know `replication`
  client.on('error', () => undefined); // the stream reports it
  await client.connect();
  const backup = new BaseBackup(() => void client.end().catch(() => undefined));
  client.query(backup);
  return backup.tar;
}

/** The answer to one BASE_BACKUP: two rows, then the archive as one copy, then a row. */
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

  /** https://www.postgresql.org/docs/18/protocol-replication.html: `n` begins an archive, `d` is a part of it. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const kind = String.fromCharCode(chunk[0] ?? 0);
    if (kind === 'n') this.#archiveCount += 1;
    // One archive is the cluster; a second one would be a tablespace, and the embedded server has none.
    if (this.#archiveCount > 1)
      this.tar.destroy(new Error('The cluster has tablespaces outside of its folder.'));
    // A copy: pg reads the next message into the same memory.
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
