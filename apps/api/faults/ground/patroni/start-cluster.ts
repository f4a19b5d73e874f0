import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { freePort } from '@insurance-verification/testing/free-port';
import { until } from '@insurance-verification/testing/until';
import pg from 'pg';
import type { Ground } from '../../fault-row.ts';
import { aFolder } from '../a-folder.ts';
import { locatePrograms, type ClusterPrograms, versionOf } from './locate-programs.ts';
import { type Member, PatroniNode } from './patroni-node.ts';
import { killProcessesIn } from './processes-in.ts';
import { startEtcd } from './start-etcd.ts';
import { startHaproxy } from './start-haproxy.ts';
import { type Link, startLink } from './start-link.ts';
import { aPlace } from './start-program.ts';

export interface ClusterOptions {
  readonly nodeCount?: number;
  /** Settings of the cluster instead of those in the repository's file. */
  readonly dcs?: Readonly<Record<string, unknown>>;
}

export interface Cluster {
  readonly programs: ClusterPrograms;
  /** The service's database through HAProxy, which leads to the primary. */
  readonly databaseUrl: string;
  /** The same past HAProxy, with each server in one URL. */
  readonly hostsUrl: string;
  /** The node with this role now. */
  readonly nodeOf: (role: Member['role']) => Promise<PatroniNode>;
  readonly linkOf: (node: PatroniNode) => Link;
  /** `patronictl switchover`; resolves when it says that it is done. */
  readonly switchOver: (from: PatroniNode, to: PatroniNode) => Promise<void>;
  /** Changes settings of the running cluster. */
  readonly configure: (dcs: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Resolves when every standby follows the primary, and one of them is synchronous if one has to be. */
  readonly whole: () => Promise<void>;
}

/** A node comes back by `pg_rewind`, or as a new copy. */
const WHOLE_MS_MAX = 120_000;

const SERVICE = 'insurance_verification';

/** Three servers under Patroni with one etcd, behind HAProxy, on loopback; null where the machine lacks a program. */
export async function startCluster(
  { stack, tally }: Ground,
  { nodeCount = 3, dcs = {} }: ClusterOptions = {},
): Promise<Cluster | { readonly lacking: string[] }> {
  const programs = locatePrograms();
  if ('lacking' in programs) return programs;
  tally.facts.push(versionOf(programs));
  const folder = aFolder(stack);
  aPlace(folder, '.');
  stack.defer(() => killProcessesIn(folder)); // before anything of it starts, so that it runs last
  const etcd = await startEtcd({ stack, folder }, programs.etcd);
  const links = new Map<PatroniNode, Link>();
  const nodes: PatroniNode[] = [];
  for (let index = 1; index <= nodeCount; index += 1) {
    const name = `pg${index}`;
    const port = await freePort();
    const link = await startLink(stack, port);
    const place = { stack, folder: aPlace(folder, name), name, port, linkPort: link.port };
    const node = new PatroniNode({ ...place, restPort: await freePort(), etcd, programs, dcs });
    links.set(node, link);
    nodes.push(node);
  }
  const isSynchronous = dcs['synchronous_mode'] !== false;
  const port = await startHaproxy({ stack, folder }, programs.haproxy, nodes);

  const members = async () => {
    for (const node of nodes) {
      const answer = await node.members();
      if (answer) return answer;
    }
    return [];
  };
  const isWhole = async () => {
    const seen = await members();
    return (
      seen.length === nodeCount &&
      seen.every(({ state }) => state === 'running' || state === 'streaming') &&
      (!isSynchronous || seen.some(({ role }) => role === 'sync_standby')) &&
      (await replicates(superuserUrl, nodeCount - 1, isSynchronous))
    );
  };
  const orLastWords = async <T>(waiting: Promise<T>): Promise<T> =>
    waiting.catch((err: unknown) => {
      throw new Error(`${String(err)}\n${nodes.map((node) => node.lastWords()).join('\n')}`);
    });
  const whole = () => orLastWords(until('the cluster is whole', isWhole, WHOLE_MS_MAX).then(() => undefined));
  const ask = promisify(execFile);
  const patronictl = async (node: PatroniNode, ...args: string[]) => {
    await ask(programs.patronictl, ['-c', node.configFile, ...args], {
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' },
    });
  };

  const [first] = nodes;
  if (!first) throw new Error('A cluster has a node.');
  const { username, password } = first.superuser;
  const superuserUrl = `postgres://${username}:${password}@127.0.0.1:${port}/postgres`;
  first.start();
  await orLastWords(until('the first node leads', () => replicates(superuserUrl, 0, false), WHOLE_MS_MAX));
  for (const node of nodes.slice(1)) node.start();
  const servicePassword = randomBytes(12).toString('hex');
  await createServiceDatabase(superuserUrl, servicePassword);
  await whole();

  const urlOf = (hosts: string) => `postgres://${SERVICE}:${servicePassword}@${hosts}/${SERVICE}`;
  return {
    programs,
    databaseUrl: urlOf(`127.0.0.1:${port}`),
    hostsUrl: urlOf(nodes.map((node) => `127.0.0.1:${node.port}`).join(',')),
    nodeOf: async (role) => {
      const member = (await members()).find((each) => each.role === role);
      const node = nodes.find(({ name }) => name === member?.name);
      if (!node) throw new Error(`The cluster has no ${role}.`);
      return node;
    },
    linkOf: (node) => {
      const link = links.get(node);
      if (!link) throw new Error(`${node.name} has no link.`);
      return link;
    },
    switchOver: (from, to) =>
      patronictl(from, 'switchover', '--leader', from.name, '--candidate', to.name, '--force'),
    configure: (settings) =>
      patronictl(
        first,
        'edit-config',
        '--force',
        ...Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${JSON.stringify(value)}`]),
      ),
    whole,
  };
}

/** Whether the server at HAProxy is a primary that so many standbys follow, one of them synchronously. */
async function replicates(
  superuserUrl: string,
  standbyCount: number,
  isSynchronous: boolean,
): Promise<boolean> {
  const client = new pg.Client({ connectionString: superuserUrl, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined); // the query reports it
  try {
    await client.connect();
    const { rows } = await client.query<{ state: string; sync: string }>(
      `select state, sync_state as sync from pg_stat_replication where not pg_is_in_recovery()`,
    );
    const { rows: role } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    return (
      role[0]?.standby === false &&
      rows.filter(({ state }) => state === 'streaming').length >= standbyCount &&
      (!isSynchronous || rows.some(({ sync }) => sync === 'sync'))
    );
  } catch {
    return false;
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** A role without rights beyond its own database, as in production. */
async function createServiceDatabase(superuserUrl: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await client.query(`create role ${SERVICE} login password '${password}'`);
    await client.query(`create database ${SERVICE} owner ${SERVICE}`);
  } finally {
    await client.end();
  }
}
