import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import clientPackage from '@insurance-verification/client/package.json' with { type: 'json' };
import { aSilentUrl } from '@insurance-verification/testing/a-silent-url';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import type { Command } from 'commander';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exampleOf } from '../src/example.ts';
import { createProgram } from '../src/program.ts';
import { useService } from './a-service.ts';
import { iv, naming, startIv } from './iv.ts';

const service = useService();
/** Takes every second command's wrong key: one service answers an address 429 after 60 of them within a minute. */
const secondService = useService();

const examples = commandsOf(createProgram())
  .map((command) =>
    exampleOf(command)
      .replaceAll('…', '1')
      .replace(/,? (or|>) .*/, ''),
  )
  .filter((example) => example.startsWith('iv ')) // the others name a database
  .map((example) => example.slice('iv '.length));

/** Those that call no service, or need a file, a port or a while. */
const NOT_AS_ITS_EXAMPLE = /^(requests create|batch create|listen|simulate|demo|backup)\b/;

/** Every command that calls the service, in correct use. */
const commands = [
  ...examples.filter((example) => !NOT_AS_ITS_EXAMPLE.test(example)),
  'requests search req_1',
  'requests create --payer x',
  'deliveries list req_1',
  'deliveries redeliver --since 2026-11-20T00:00:00Z',
  'deliveries redeliver --exhausted-since 2026-11-20T00:00:00Z',
  'held list --all',
  'listen --port 0',
  'simulate --verifiers 2',
].map((line) => [...line.matchAll(/"(.*?)"|'(.*?)'|(\S+)/g)].map(([, ...words]) => words.join('')));

function commandsOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(commandsOf);
}

const wordsOf = (args: readonly string[]) => {
  const option = args.findIndex((arg) => arg.startsWith('--'));
  return args.slice(0, option < 0 ? args.length : option).join(' ');
};

// Breaks if a failure of any command looks like a success to a script, or leaves half an answer on stdout.
describe.concurrent.each(
  commands.map((args, index) => [args.join(' '), args, index % 2 === 0 ? service : secondService] as const),
)('iv %s', (_line, args, asked) => {
  test('ends with 1 for a wrong key, and does not repeat it', async () => {
    const { url } = asked();
    const refused = await iv([...args, '--json'], { IV_URL: url, IV_API_KEY: 'ivk_live_hunter2' });
    expect(refused).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        `The service at ${url} refused the API key (401). Expected a live key; ` +
        'the one from IV_API_KEY is unknown there, revoked or expired.\n' +
        // The typed words up to the options: after adding the key, the command is correct.
        `Right, for example: IV_API_KEY_FILE=/run/secrets/iv-api-key iv ${wordsOf(args)}\n`,
    });
  });

  test('ends with 1 where no service answers', async () => {
    const unreachable = await iv(args, { IV_URL: await aSilentUrl(), IV_API_KEY: API_KEY });
    expect(unreachable).toMatchObject({ exitCode: 1, stdout: '' });
    expect(unreachable.stderr).toMatch(
      /^The service at http:\/\/127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)\. Expected a running service there\.\n/,
    );
  });
});

describe('wrong usage', () => {
  test.each([
    ['an unknown command', 'keys destroy', "unknown command 'destroy'"],
    ['an unknown option', 'secret show --nonsense', "unknown option '--nonsense'"],
    ['a file of no known kind', 'batch create visits.xlsx', 'expected a name that ends with .csv'],
    ['a missing argument', 'keys revoke', "missing required argument 'key_id'"],
    ['an argument too many', 'keys revoke a b', 'too many arguments'],
    [
      'nothing to redeliver',
      'deliveries redeliver',
      'Expected either a request_id, --since or --exhausted-since.',
    ],
    [
      'both to redeliver',
      'deliveries redeliver req_1 --exhausted-since 2026-11-20T00:00:00Z',
      'Expected either a request_id, --since or --exhausted-since.',
    ],
    [
      'a filter that does not count',
      'deliveries redeliver --exhausted-since 2026-11-20T00:00:00Z --status-code 500',
      'With --exhausted-since --status-code does not count.',
    ],
    ['a filter of one', 'deliveries redeliver req_1 --dry-run', 'Of one request --dry-run does not count.'],
    ['a missing option', 'keys create', "required option '--account <account_id>' not specified"],
    ['a choice that is none', 'requests list --state done', 'Allowed choices are pending, complete,'],
    ['no reason to dismiss for', 'held dismiss-many', "required option '--reason <reason>' not specified"],
    ['a number that is none', 'requests list --limit -1', 'Expected a whole number from 1 to 100.'],
    ['a number beyond its bounds', 'held dismiss-many --reason untrusted --limit 10001', 'from 1 to 10,000.'],
    ['a mix that is none', 'simulate --mix happy=1', 'Expected weights of active, inactive, fail,'],
    ['a port that is none', 'listen --port 65536', 'Expected a port number from 0 to 65535.'],
    [
      'options that exclude each other',
      'keys list --all --limit 2',
      "'--all' cannot be used with option '--limit",
    ],
  ])('%s ends with 2 and says what was expected', async (_name, line, message) => {
    const refused = await iv(line.split(' '), naming(service()));
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain(message);
    expect(refused.stderr).toContain('Right, for example: iv ');
  });

  // Broke: after a misspelled command of any group the example was `iv requests list`.
  test.each([
    ['nonsense', 'iv requests list --limit 5'],
    ['keys lst', 'iv keys create'],
    ['work stts', 'iv work stats'],
    ['report --frm 2026-11-01', 'iv report response-times'],
  ])('the example after "iv %s" is of the group that was typed', async (line, example) => {
    const refused = await iv(line.split(' '));
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain(`Right, for example: ${example}`);
  });

  // Broke: it printed the number of the API, which stays from one build to the next.
  test('--version is the version of the client that it was built with', async () => {
    const { version } = clientPackage;
    expect(await iv(['--version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('is not asking for help, which goes to stdout and ends with 0', async () => {
    const help = await iv(['requests', 'list', '--help']);
    expect(help).toMatchObject({ exitCode: 0, stderr: '' });
    expect(help.stdout).toContain('\nExample:\n  iv requests list --state pending --limit 50\n');
  });

  test.each([[''], ['keys']])(
    'no command after "iv %s" shows the help on stderr and ends with 2',
    async (line) => {
      const refused = await iv(line.split(' ').filter(Boolean));
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
      expect(refused.stderr).toMatch(/^Usage: iv /);
    },
  );
});

// Breaks if another program's 404 is taken for "no such request".
test.each([
  [404, 'answered requests.get with 404'],
  [200, 'answered requests.get with 200'],
  [302, 'answered requests.get with 302'],
  [503, 'cannot answer at the moment (503). Try again in 7 s.'],
  [429, 'takes no more of requests.get now (429). Try again in 7 s.'],
])('what is no such service and answers %i is reported as that', async (status, message) => {
  const other = createServer((_req, res) =>
    res.writeHead(status, { 'retry-after': '7' }).end('<html></html>'),
  );
  onTestFinished(() => void other.close());
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const refused = await iv(['requests', 'get', 'req_1'], { IV_URL: url, IV_API_KEY: API_KEY });
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toContain(message);
});

// Breaks if `iv requests list | head -1` ends in a stack trace.
test('a reader that goes away is no failure', async () => {
  const child = startIv(['accounts', 'list'], naming(service()));
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  await once(child, 'close');
  expect([child.exitCode, stderr]).toEqual([0, '']);
});
