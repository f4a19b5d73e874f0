import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { parse, stringify } from 'yaml';
import type { ClusterPrograms } from './locate-programs.ts';
import { killProcessesIn, signalProcessesIn } from './processes-in.ts';
import { lastWordsIn, type Place, startProgram } from './start-program.ts';

const CONFIG = new URL('../../../deploy/patroni/patroni.yml', import.meta.url);

/** The members of the file that differ on this machine. */
interface PatroniConfig {
  name: string;
  restapi: object;
  etcd3: object;
  bootstrap: { dcs: Record<string, unknown> & { postgresql: { parameters: Record<string, unknown> } } };
  postgresql: Record<string, unknown> & {
    authentication: { superuser: { username: string; password: string } };
    parameters: Record<string, unknown>;
  };
}

/** Everything that runs in its folder is the node's. */
export interface NodePlace extends Place {
  readonly name: string;
  readonly etcd: string;
  readonly port: number;
  /** Where the standbys reach it. */
  readonly linkPort: number;
  readonly restPort: number;
  readonly programs: ClusterPrograms;
  /** Instead of the file's own settings of the cluster. */
  readonly dcs: Readonly<Record<string, unknown>>;
}

/** A member of the cluster, as Patroni reports it. */
export interface Member {
  readonly name: string;
  readonly role: 'leader' | 'sync_standby' | 'replica';
  readonly state: string;
}

/** One machine of the cluster: Patroni and its PostgreSQL, with the repository's configuration but for the addresses. */
export class PatroniNode {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly configFile: string;
  /** The superuser's name and password, the same on every node. */
  readonly superuser: { readonly username: string; readonly password: string };
  readonly #place: NodePlace;

  constructor(place: NodePlace) {
    const { name, folder, etcd, port, linkPort, restPort, programs, dcs } = place;
    this.#place = place;
    this.name = name;
    this.port = port;
    this.restPort = restPort;
    this.configFile = join(folder, 'patroni.yml');
    const config = parse(readFileSync(CONFIG, 'utf8')) as PatroniConfig;
    this.superuser = config.postgresql.authentication.superuser;
    config.name = name;
    config.restapi = { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` };
    config.etcd3 = { hosts: [etcd] };
    Object.assign(config.bootstrap.dcs, dcs);
    Object.assign(config.postgresql, {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${linkPort}`,
      data_dir: join(folder, 'data'),
      bin_dir: programs.postgres,
      pgpass: join(folder, 'pgpass'),
      pg_hba: [
        'host replication replicator 127.0.0.0/8 scram-sha-256',
        'host all all 127.0.0.0/8 scram-sha-256',
      ],
    });
    // Three servers, a load and its receivers share one machine.
    Object.assign(config.postgresql.parameters, { unix_socket_directories: folder, shared_buffers: '32MB' });
    writeFileSync(this.configFile, stringify(config), { mode: 0o644 });
  }

  start(): void {
    startProgram(this.#place, this.#place.programs.patroni, [this.configFile]);
  }

  /** As a machine that loses power: Patroni, PostgreSQL and every backend at once. */
  async kill(): Promise<void> {
    await killProcessesIn(this.#place.folder);
  }

  /** As a virtual machine that is paused: its sockets stay open, and nobody answers. */
  freeze(): void {
    signalProcessesIn(this.#place.folder, 'SIGSTOP');
  }

  thaw(): void {
    signalProcessesIn(this.#place.folder, 'SIGCONT');
  }

  /** The cluster as this node sees it; null when it does not answer. */
  async members(): Promise<readonly Member[] | null> {
    try {
      const answer = await request(`http://127.0.0.1:${this.restPort}/cluster`, {
        headersTimeout: 2_000,
        bodyTimeout: 2_000,
      });
      const { members } = (await answer.body.json()) as { members?: Member[] };
      return members ?? null;
    } catch {
      return null;
    }
  }

  lastWords(): string {
    return `${this.name}: ${lastWordsIn(this.#place.folder)}`;
  }
}
