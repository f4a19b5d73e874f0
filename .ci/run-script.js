// What the scripts of package.json run: `node .ci/run-script.js [options of Node] <program> [arguments]`. The program is a
// file for Node, or a tool. What it needs is installed first: for a file under `src` the dependencies, for anything else
// the tools too. Written for any Node from 18 on, since the pinned one may not be there yet.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const words = process.argv.slice(2);
const program = words.find((word) => !word.startsWith('-')) ?? '';
const isFile = program.includes('/');
const runsAlone = program.includes('/src/');
const isInstalled = existsSync('node_modules/.pnpm-workspace-state-v1.json');
const isWindows = process.platform === 'win32';

const { npm_config_user_agent: agent = '', npm_lifecycle_event: event = 'start' } = process.env;
const [, manager, major] = /^(\w+)\/(\d+)/.exec(agent) ?? [];

const isPnpm = manager === 'pnpm' && Number(major) >= 12;

// Another package manager, or an older pnpm, cannot read this workspace: it would end in a stack, or a tool not found.
if (isPnpm) {
  if (program) install();
} else if (!runsAlone || !isInstalled) {
  fail(`Use \`npx -y pnpm@12 ${event === 'pnpm:devPreinstall' ? 'install' : event}\`.`);
}
if (program) run();

/** What it prints goes to stderr where stdout is the program's. */
function install() {
  const refusal = refusalToWrite();
  if (refusal && !isInstalled)
    fail(`${process.cwd()} cannot be written (${refusal}), and what runs is not installed in it yet.`);

  // A clone's lockfile is trusted as its code is: `pnpm test` holds every change of it to `minimumReleaseAge`, which takes
  // a question to the registry per package, 10 s together.
  const first = ['install', '--prod', '--frozen-lockfile', '--trust-lockfile'];
  // Pnpm's own check, silent where nothing is missing. It installs the groups that the last install had, so it takes
  // nothing away from the tests.
  const later = ['exec', 'node', '--eval', '0'];
  const { error, status } = spawnSync('pnpm', !runsAlone ? ['install'] : isInstalled ? later : first, {
    env: { ...process.env, ...(runsAlone && { pnpm_config_verify_deps_before_run: 'install' }) },
    stdio: runsAlone ? ['ignore', 2, 2] : 'inherit',
    shell: isWindows, // a .cmd file there
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);

  // A package with tools alone gets no folder for them, and pnpm's check would miss it and install again at every start.
  for (const group of refusal ? [] : ['apps', 'packages'])
    for (const name of readdirSync(group))
      if (existsSync(`${group}/${name}/package.json`))
        mkdirSync(`${group}/${name}/node_modules`, { recursive: true });

  if (!existsSync('node_modules/.bin/node') && Number.parseInt(process.versions.node, 10) < 24)
    fail(`npm has no Node 24 for ${process.platform} ${process.arch}: install Node 24 or later.`);
}

/** Becomes the program: its process ID, standard streams, signals and exit status are this one's. */
function run() {
  const flags = ['--conditions=@insurance-verification/source'];
  if (program === 'apps/api/src/main.js')
    flags.push(...readFileSync('apps/api/node-flags', 'utf8').trim().split('\n'));
  const [command, ...args] = isFile ? ['node', ...flags, ...words] : words;
  process.env.PATH = `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH}`;
  if (process.execve && !isWindows) process.execve('/usr/bin/env', ['env', command, ...args]);

  // On Windows, or under an older Node, which the next start no longer uses: it waits, and passes on the signals that the
  // child does not get itself. Pnpm signals the whole process group, a terminal too: a second one would not be waited for.
  const child = spawn(command, args, { stdio: 'inherit', shell: isWindows && !isFile });
  child.on('exit', (code, signal) => {
    process.removeAllListeners();
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
  const inTerminal = [0, 1, 2].some((stream) => isatty(stream));
  process.on('SIGTERM', () => isPnpm || child.kill('SIGTERM'));
  for (const signal of ['SIGINT', 'SIGHUP'])
    process.on(signal, () => isPnpm || inTerminal || child.kill(signal));
}

/** The system's word, as EROFS; undefined where the checkout can be written. */
function refusalToWrite() {
  try {
    accessSync('.', constants.W_OK);
  } catch (err) {
    return err.code;
  }
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
