import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { commandsOf } from '../operating/guide.ts';
import { deployFile, deployText } from './deploy-files.ts';
import { isThere, notRunWithout } from './is-there.ts';

interface PatroniFile {
  readonly etcd3: { readonly hosts: readonly string[] };
  readonly restapi: { readonly listen: string };
  readonly bootstrap: {
    readonly dcs: {
      readonly ttl: number;
      readonly loop_wait: number;
      readonly retry_timeout: number;
      readonly synchronous_mode: boolean;
      readonly postgresql: { readonly parameters: Readonly<Record<string, string | number>> };
    };
  };
  readonly postgresql: { readonly listen: string };
}

const patroni = parse(deployText('patroni/patroni.yml')) as PatroniFile;
const haproxy = deployText('patroni/haproxy.cfg');
const pgbouncer = deployText('patroni/pgbouncer.ini');

// Patroni takes other values without a word, and then demotes a healthy primary.
test('the times of Patroni fit into each other', () => {
  const { ttl, loop_wait, retry_timeout, synchronous_mode, postgresql } = patroni.bootstrap.dcs;
  expect(loop_wait + 2 * retry_timeout).toBeLessThanOrEqual(ttl);
  expect(ttl).toBeGreaterThanOrEqual(20);
  expect(synchronous_mode).toBe(true);
  expect(postgresql.parameters['wal_sender_timeout']).toBe('5s');
});

test('Patroni, HAProxy and PgBouncer name the same machines, ports and database', () => {
  const machines = patroni.etcd3.hosts.map((host) => host.split(':')[0]);
  const servers = [...haproxy.matchAll(/^ {2}server \S+ (\S+):(\d+) check port (\d+)$/gm)];
  expect(servers.map(([, machine]) => machine)).toEqual(machines);
  expect([patroni.postgresql.listen, patroni.restapi.listen]).toEqual(
    servers.slice(0, 1).flatMap(([, machine, port, rest]) => [`${machine}:${port}`, `${machine}:${rest}`]),
  );
  const [, bound] = /^ {2}bind (\S+)$/m.exec(haproxy) ?? [];
  const [, database, host, port] = /^(\w+) = host=(\S+) port=(\d+)$/m.exec(pgbouncer) ?? [];
  expect(`${host}:${port}`).toBe(bound);
  expect(commandsOf('scaling.md', 'database')).toContain(`create database ${database} owner ${database};`);
});

test.skipIf(!isThere('haproxy'))(
  `HAProxy finds nothing wrong with its file${notRunWithout('haproxy')}`,
  () => {
    const check = (file: string) => {
      const { status, stderr } = spawnSync('haproxy', ['-c', '-q', '-f', file], { encoding: 'utf8' });
      return { isSound: status === 0, stderr };
    };
    expect(check(deployFile('patroni/haproxy.cfg'))).toEqual({ isSound: true, stderr: '' });
    const misspelt = join(aFolder(), 'haproxy.cfg');
    writeFileSync(misspelt, haproxy.replace('on-marked-down', 'on-marked-downs'));
    expect(check(misspelt)).toMatchObject({ isSound: false });
  },
);
