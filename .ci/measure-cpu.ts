import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { setInterval } from 'node:timers/promises';

const TICKS = 100; // of `/proc`, a second: `getconf CLK_TCK`
const SAMPLE_MS = 250;
const BUCKET_S = 30;

interface Process {
  readonly parent: Process | undefined;
  kind: string;
  project: string;
  /** CPU seconds of its own, at the last sight. */
  own: number;
  /** CPU seconds of the children that it has waited for, at the last sight. */
  waitedFor: number;
  isSeen: boolean;
}

const KINDS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['Chromium, pages', /chrom.*--type=renderer/],
  ['Chromium', /chrom/],
  ['PostgreSQL', /^postgres\b|\/postgres /],
  ['initdb, pg_dump, pg_restore', /\/bin\/(?:initdb|pg_\w+) /],
  ['vitest worker', /vitest\/dist\/workers|\(vitest \d+\)/],
  ['vitest', /\bvitest\b/],
  ['service', /apps\/api\/src\/main|\/service\/main\.js/],
  ['iv', /apps\/cli\/src\/main/],
  ['iv-mcp', /apps\/mcp\/src\/main/],
  ['types', /\btsc\b|\/lib\/tsc/],
  ['lint', /oxlint|tsgolint|turbo boundaries/],
  ['format', /oxfmt/],
  ['unused', /knip/],
  ['install', /\b(?:npm|pnpm|npx)\b/],
];

/**
 * Runs a command and adds up the CPU time of every process that it started, from `/proc`: by kind and by package, then how
 * much of the machine was used in each half minute, then the slowest test files. Resolves to the command's exit status.
 */
export async function measureCpu(command: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const files: { readonly name: string; readonly seconds: number }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    process.stdout.write(`${line}\n`);
    const [, name, milliseconds] = /[✓❯] .*?(\S+\.test\.tsx?) .* (\d+)ms$/.exec(plain(line)) ?? [];
    if (name) files.push({ name, seconds: Number(milliseconds) / 1_000 });
  });

  const running = new Map<number, Process>();
  const all: Process[] = [];
  const buckets: Map<string, number>[] = [];
  const stop = new AbortController();
  void ended.then(() => stop.abort());
  const sample = () => {
    const at = Math.floor((performance.now() - startedAt) / 1_000 / BUCKET_S);
    look(child.pid ?? 0, running, all, (label, seconds) => {
      const bucket = (buckets[at] ??= new Map<string, number>());
      bucket.set(label, (bucket.get(label) ?? 0) + seconds);
    });
  };
  try {
    for await (const _ of setInterval(SAMPLE_MS, undefined, { signal: stop.signal })) sample();
  } catch (err) {
    if (!stop.signal.aborted) throw err;
  }
  const [status] = (await ended) as [number | null];
  report((performance.now() - startedAt) / 1_000, all, buckets, files);
  return status ?? 1;
}

/** Reads `/proc` once: what is `root` or descends from it is counted. */
function look(
  root: number,
  running: Map<number, Process>,
  all: Process[],
  used: (label: string, seconds: number) => void,
): void {
  for (const each of running.values()) each.isSeen = false;
  const rows = readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : [],
  );
  // A child's number is larger than its parent's, but for a turn of the counter: then it is seen at the next look.
  for (const row of rows.sort((one, two) => one.pid - two.pid)) {
    let known = running.get(row.pid);
    const parent = running.get(row.parent);
    if (!known && !parent && row.pid !== root) continue;
    if (!known) {
      known = { parent, kind: '', project: '', own: 0, waitedFor: 0, isSeen: true };
      running.set(row.pid, known);
      all.push(known);
    }
    const words = commandOf(row.pid);
    known.project =
      /--project @insurance-verification\/([\w-]+)|--project (ci)/.exec(words)?.slice(1).find(Boolean) ??
      (known.project || (known.parent?.project ?? ''));
    known.kind = KINDS.find(([, pattern]) => pattern.test(words))?.[0] ?? (known.kind || 'other');
    used(known.project || known.kind, row.own - known.own);
    Object.assign(known, { own: row.own, waitedFor: row.waitedFor, isSeen: true });
  }
  for (const [pid, each] of running) if (!each.isSeen) running.delete(pid);
}

function readStat(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const seconds = (field: number) => Number(fields[field - 3]) / TICKS; // numbered as in proc_pid_stat(5)
    return {
      pid,
      parent: Number(fields[1]),
      own: seconds(14) + seconds(15),
      waitedFor: seconds(16) + seconds(17),
    };
  } catch {
    return null; // it ended between the two readings
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function report(
  seconds: number,
  all: readonly Process[],
  buckets: readonly Map<string, number>[],
  files: readonly { readonly name: string; readonly seconds: number }[],
): void {
  // What ended between two looks is in no row of its own, only in what its parent waited for. Children first: they come later.
  const ofChildren = new Map<Process, number>();
  const rows = new Map<string, { seconds: number; processes: number }>();
  for (const each of all.toReversed()) {
    const seen = ofChildren.get(each) ?? 0;
    const unseen = Math.max(0, each.waitedFor - seen);
    if (each.parent)
      ofChildren.set(each.parent, (ofChildren.get(each.parent) ?? 0) + each.own + seen + unseen);
    const key = `${each.kind}\t${each.project}`;
    const row = rows.get(key) ?? { seconds: 0, processes: 0 };
    row.seconds += each.own + unseen;
    row.processes += 1;
    rows.set(key, row);
  }
  const total = [...rows.values()].reduce((sum, row) => sum + row.seconds, 0);
  const lines = [
    `${seconds.toFixed(0)} s, ${total.toFixed(0)} s of CPU, ${all.length} processes seen`,
    '',
    ...[...rows]
      .sort(([, one], [, two]) => two.seconds - one.seconds)
      .filter(([, row]) => row.seconds >= 1)
      .map(([key, row]) => {
        const [kind = '', project = ''] = key.split('\t');
        return `${row.seconds.toFixed(0).padStart(6)}  ${kind.padEnd(28)}${project.padEnd(20)}${row.processes}`;
      }),
    '',
    ...Array.from(buckets, (bucket, index) => {
      const used = [...(bucket ?? [])]
        .sort(([, one], [, two]) => two - one)
        .filter(([, each]) => each >= 0.5);
      const share = used.reduce((sum, [, each]) => sum + each, 0) / BUCKET_S / availableParallelism();
      return `${String(index * BUCKET_S).padStart(5)} s  ${(share * 100).toFixed(0).padStart(3)} %  ${used
        .map(([label, each]) => `${label} ${each.toFixed(0)}`)
        .join(', ')}`;
    }),
    '',
    ...[...files]
      .sort((one, two) => two.seconds - one.seconds)
      .slice(0, 40)
      .map((file) => `${file.seconds.toFixed(0).padStart(6)}  ${file.name}`),
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
}

const plain = (line: string) => line.replaceAll(/\u001B\[[\d;]*m/g, '');
