import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { locateProgram } from '../locate-program.ts';

/** What a cluster runs, by path. */
export interface ClusterPrograms {
  readonly patroni: string;
  readonly patronictl: string;
  readonly etcd: string;
  readonly haproxy: string;
  readonly pgbouncer: string;
  /** The folder of a whole PostgreSQL. The embedded server's package has no `pg_basebackup`, `pg_rewind`, `pg_isready`. */
  readonly postgres: string;
}

const packages = {
  patroni: 'patroni',
  patronictl: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  postgres: 'postgresql',
} as const;

/** As it names itself: `patroni 4.1.5`. Before 3.1, a primary that wakes up may take its lock back. */
export const versionOf = ({ patroni }: ClusterPrograms): string =>
  execFileSync(patroni, ['--version'], { encoding: 'utf8' }).trim();

/** The programs, or the Debian packages that the machine lacks. */
export function locatePrograms(): ClusterPrograms | { readonly lacking: string[] } {
  const found = Object.entries(packages).map(([name]) => [
    name,
    name === 'postgres' ? postgresFolder() : locateProgram(name),
  ]);
  const lacking = found
    .filter(([, path]) => path === undefined)
    .map(([name]) => name as keyof typeof packages);
  if (lacking.length > 0) return { lacking: [...new Set(lacking.map((name) => packages[name]))] };
  return Object.fromEntries(found);
}

/** Debian's newest. */
function postgresFolder(): string | undefined {
  const versions = '/usr/lib/postgresql';
  if (!existsSync(versions)) return undefined;
  return readdirSync(versions)
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(versions, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'pg_basebackup')));
}
