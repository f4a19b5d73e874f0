import { execFile, spawn } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { ERROR_REASONS, SANDBOX_MEMBER_IDS } from '@insurance-verification/schema';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { freePort } from '@insurance-verification/testing/free-port';
import { startFlags } from '@insurance-verification/testing/start-flags';
import { until } from '@insurance-verification/testing/until';
import { DEFAULT_RETRY_SCHEDULE } from '@insurance-verification/webhook';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { answerErrors } from '../../src/http/answer-errors.ts';
import { openCall } from '../../src/http/every-call.ts';
import { serveGuides } from '../../src/http/pages/docs.ts';
import { aKey } from '../a-key.ts';
import { aKoaServer, anApp } from '../a-koa-server.ts';
import { useService } from '../a-service.ts';
import { aTestAccount } from '../access/a-test-account.ts';

const root = join(import.meta.dirname, '../../../../apps/docs/guides');
const guides = globSync('*.md', { cwd: root }).toSorted();
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface Block {
  readonly file: string;
  readonly language: string;
  /** What the info string names after the language: a file, or why it is not run here. */
  readonly name: string;
  readonly text: string;
}

const blocks: Block[] = guides.flatMap((file) =>
  [...read(file).matchAll(/^```(\w+)(?: ([^\n]+))?\n([^]*?)^```$/gm)].map(
    ([, language = '', name = '', text = '']) => ({
      file,
      language,
      name,
      text,
    }),
  ),
);
const blockOf = (name: string) => blocks.find((block) => block.name === name)?.text ?? '';

/** Shell blocks that need Docker, a clone, a registry, or the reader's own values. */
const NOT_RUN = new Set(['setup', 'repository', 'image', 'start', 'invite', 'install']);

/** The Accept header of a browser. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const service = useService();
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  const { testKey } = await aTestAccount(service);
  env = { PATH: process.env['PATH'], IV_URL: service.url, IV_KEY: testKey, IV_VERIFIER_KEY: testKey };
});

// A snippet that does not work costs a reader more than none.
describe('every shell block runs', () => {
  const run = blocks.filter(({ language, name }) => language === 'sh' && !NOT_RUN.has(name));

  test.each(run.map((block, index) => [`${block.file} ${index + 1}`, block] as const))(
    '%s',
    async (_, { text }) => {
      const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', text], {
        cwd: aFolder(),
        env,
      });
      expect(stdout).not.toMatch(/"status": ?5\d\d|"code": ?"(?:unauthorized|forbidden|not_found_route)"/);
    },
  );

  test.each([
    ['first-request.md', '"eligibility_status":"Active"'],
    ['idempotency.md', /"request_id":"(req_\w+)"[^]*"request_id":"\1"/],
    ['batches.md', /"rejected":1[^]*"end":true,"rows":2/],
    ['benefits.md', '"summary"'],
    ['dates.md', /needed-by: \d{4}-12-31T23:59:00/i],
    ['events.md', /"secret":"whsec_[^]*"event_id":"(evt_\w+)"[^]*"id":"\1"/],
    ['polling.md', '"items"'],
    ['errors.md', /"type":"missing"[^]*"code":"not_found"/],
    ['verify-programs.md', '"lease_token"'],
    ['webhooks.md', 'whsec_'],
  ])('%s prints what its page says', async (file, printed) => {
    const text = blocks.filter(
      (block) => block.file === file && block.language === 'sh' && !NOT_RUN.has(block.name),
    );
    const all = text.map((block) => block.text).join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', all], {
      cwd: aFolder(),
      env,
    });
    expect(stdout).toMatch(printed instanceof RegExp ? printed : new RegExp(printed));
  });
});

describe('every TypeScript block runs', () => {
  // Below this package, whose dependencies it finds.
  const cache = join(import.meta.dirname, '../../node_modules/.cache');
  let folder: string;
  beforeAll(() => {
    mkdirSync(cache, { recursive: true });
    folder = mkdtempSync(join(cache, 'guides-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const program = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, stripTypeScriptTypes(text));
    return [...startFlags, path];
  };

  test('the models', async () => {
    const model = blocks.find(({ file, language }) => file === 'models.md' && language === 'ts');
    const { stdout } = await promisify(execFile)(process.execPath, program('models.mjs', model?.text ?? ''));
    expect(stdout).toBe('body.patient_info\n');
  });

  // Broke: the answer of a key without the scope became the secret, and the receiver refused every webhook in silence.
  test('with a key that may not read the secret, the receiver stops and says what is wrong', async () => {
    const key = await aKey(service, ['requests']);
    const start = `${blockOf('receive')}exec "$@"`;
    const command = [process.execPath, ...program('receiver.mjs', blockOf('receiver.ts'))];
    const stopped = promisify(execFile)('bash', ['-c', start, 'bash', ...command], {
      env: { ...process.env, ...env, IV_KEY: key },
    });
    await expect(stopped).rejects.toMatchObject({
      stderr: expect.stringMatching(/403.*IV_WEBHOOK_SECRET should begin with whsec_/s),
    });
  });

  test('the receiver accepts what is signed, and refuses what is not', async () => {
    const port = await freePort();
    const shellOf = (name: string) => blockOf(name).replace('4000', String(port));
    const start = `${shellOf('receive')}exec "$@"`;
    const command = [process.execPath, ...program('receiver.mjs', blockOf('receiver.ts'))];
    const receiver = spawn('bash', ['-euo', 'pipefail', '-c', start, 'bash', ...command], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void receiver.kill());
    let printed = '';
    receiver.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const url = `http://127.0.0.1:${port}/`;
    const refused = await until('it listens', () =>
      fetch(url, { method: 'POST', body: '{}' }).catch(() => null),
    );
    expect(refused.status).toBe(401);
    await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', shellOf('request')], { env });
    await until('the result is printed', () => /^msg_\w+ complete$/m.test(printed));
  });
});

test('every JSON block is JSON', () => {
  for (const { text } of blocks.filter(({ language }) => language === 'json')) JSON.parse(text);
  expect(blocks.filter(({ language }) => language === 'json').length).toBeGreaterThan(0);
});

test('the Compose file is YAML, and sets variables that the service reads', () => {
  const { services } = parse(blockOf('compose.yaml')) as {
    services: { service: { environment: Record<string, string> } };
  };
  const known = readFileSync(join(import.meta.dirname, '../../deploy/.env.example'), 'utf8');
  const { environment } = services.service;
  for (const name of Object.keys(environment)) expect(known).toContain(name.replace(/_FILE$/, ''));
  expect(JSON.parse(environment['PAYERS'] ?? '')).toHaveLength(4);
});

test('the sandbox page has every member id, and no other', () => {
  const named = Object.keys(SANDBOX_MEMBER_IDS).filter(
    (id) => !Object.hasOwn(ERROR_REASONS, id.replace('TEST-', '').replaceAll('-', '_').toLowerCase()),
  );
  const listed = [...read('sandbox.md').matchAll(/^\| `(TEST-[A-Z-]+)` /gm)].map(([, id]) => id);
  expect(listed.toSorted()).toEqual(named.toSorted());
});

test('the pages name only reasons and problems that exist', async () => {
  const text = guides.map(read).join('\n');
  const [problems, reasons] = await Promise.all(
    ['/docs/problems', '/docs/reasons'].map(
      async (path) => (await service.ask('GET', path, { key: null })).text,
    ),
  );
  for (const [, code = ''] of text.matchAll(/(?:409|410|403|404|429) `([a-z_]+)`/g))
    expect(problems).toContain(`>${code}<`);
  for (const [, reason = ''] of read('errors.md').matchAll(/\| `([a-z_]+)`/g))
    expect(reasons).toContain(`>${reason}<`);
});

test('the schedule on the page of webhooks is the schedule', () => {
  const units = { seconds: 1, minutes: 60, hours: 3_600 };
  const sentence =
    /An attempt that gets no 2xx is repeated after ([^]*?):/.exec(read('webhooks.md'))?.[1] ?? '';
  const seconds = [...sentence.matchAll(/((?:\d+(?:, | and )?)+) (seconds|minutes|hours)/g)].flatMap(
    ([, figures = '', unit = '']) =>
      [...figures.matchAll(/\d+/g)].map(([figure]) => Number(figure) * units[unit as keyof typeof units]),
  );
  expect([0, ...seconds]).toEqual(DEFAULT_RETRY_SCHEDULE);
});

test.each(Object.keys(ERROR_REASONS))('the reason %s has a page that says who fixes it', async (reason) => {
  const { status, text } = await service.ask('GET', `/docs/reasons/${reason}`, { key: null });
  expect(status).toBe(200);
  expect(text).toContain('Who fixes it?');
});

describe('served', () => {
  beforeAll(() => service.openConsole(), 120_000);
  const get = (path: string) => service.ask('GET', path, { key: null });

  test.each(guides.map((file) => basename(file, '.md')))(
    '%s as a page and as Markdown, under the strict policy',
    async (name) => {
      const path = name === 'README' ? '/docs' : `/docs/${name}`;
      const page = await get(path);
      expect(page.status).toBe(200);
      expect(page.headers['content-security-policy']).toContain("script-src 'self'");
      expect(page.headers['content-security-policy']).not.toContain('unsafe');
      const markdown = await get(`/docs/${name === 'README' ? 'index' : name}.md`);
      expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8');
      expect(markdown.text).toBe(read(`${name}.md`));
    },
  );

  // Broke: two links of the page on production led to a file of the repository, and so nowhere.
  test('every link of a served page leads somewhere, and to a place that is there', async () => {
    const pages = ['/', '/docs', '/docs/problems', '/docs/reasons', '/status', '/console/help'];
    const seen = new Map<string, Awaited<ReturnType<typeof get>>>();
    const dead: string[] = [];
    const browse = async (path: string) => {
      const found = seen.get(path) ?? (await service.ask('GET', path, { key: null, headers: BROWSER }));
      seen.set(path, found);
      return found;
    };
    for (let page = pages.shift(); page !== undefined; page = pages.shift()) {
      const { text } = await browse(page);
      for (const [, link = ''] of text.matchAll(/ (?:href|src)="([^"]*)"/g)) {
        const { origin, pathname, search, hash } = new URL(link.replaceAll('&amp;', '&'), service.url + page);
        if (origin !== service.url) continue;
        const isNew = !seen.has(pathname + search);
        const target = await browse(pathname + search);
        const isPage = String(target.headers['content-type']).startsWith('text/html');
        const isThere = hash === '' || target.text.includes(`id="${decodeURIComponent(hash.slice(1))}"`);
        if (target.status !== 200 || !isThere) dead.push(`${page}: ${link}`);
        else if (isNew && isPage && !/^\/docs\/reference|^\/console(?!\/help)/.test(pathname))
          pages.push(pathname + search);
      }
    }
    expect(dead).toEqual([]);
    expect([...seen.keys()]).toEqual(
      expect.arrayContaining(
        guides.map((file) => `/docs/${basename(file, '.md')}`).filter((path) => path !== '/docs/README'),
      ),
    );
  });

  test('a program finds them in llms.txt', async () => {
    const { text, headers } = await get('/llms.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    for (const [, path = ''] of text.matchAll(/\]\((\/[^)]+)\)/g))
      expect([path, (await get(path)).status]).toEqual([path, 200]);
  });

  test('HEAD is answered as GET is, and no other method is', async () => {
    const ask = async (method: string) => (await service.ask(method, '/docs/webhooks', { key: null })).status;
    expect([await ask('HEAD'), await ask('POST')]).toEqual([200, 404]);
  });

  // Broke: a stranger's first question got "There is nothing at this address" for fifteen seconds after a first start.
  test('a page that is being built is not said to be absent', async () => {
    const building = { state: { kind: 'building' }, open: async () => {}, close: async () => {} } as const;
    const { app } = anApp();
    const url = await aKoaServer(
      openCall(app),
      answerErrors(() => null),
      serveGuides(building),
    );
    for (const name of ['webhooks', 'webhooks.md', 'errors.md']) {
      const res = await fetch(`${url}/docs/${name}`);
      expect([res.status, res.headers.get('retry-after')]).toEqual([503, '2']);
    }
  });

  test('the reference is below them', async () => {
    expect((await get('/docs/reference')).text).toContain('/docs/scalar.js');
    expect((await get('/docs')).text).not.toContain('/docs/scalar.js');
  });
});
