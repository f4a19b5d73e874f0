import { type Problem, type ProblemCode, PROBLEMS, problemType } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { useService } from '../a-service.ts';

const service = useService({ env: { ROLES: 'http' } });

const codes = Object.keys(PROBLEMS) as ProblemCode[];

test.each(codes)('the type of %s is the address of a page that explains it', async (code) => {
  const answer = await service.ask('GET', problemType(code), { key: null });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.text).toContain(`<code>${code}</code>`);
  expect(answer.text).toContain(PROBLEMS[code].sentence);
  expect(answer.headers['content-security-policy']).not.toContain('unsafe');
});

test('the type of an answer, read as the reference that it is, leads there from wherever the call went', async () => {
  const called = `${service.url}/requests/req_01jdabcdefghjkmnpqrstvwxyz`;
  const refused = (await (await fetch(called)).json()) as Problem;
  const page = await fetch(new URL(refused.type, called));
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<h1>Unauthorized</h1>')]);
});

// Broke: the page of the first refusal that a provider meets did not say where a key comes from.
test('the page of a 401 says how a provider gets a key', async () => {
  const { text } = await service.ask('GET', problemType('unauthorized'), { key: null });
  for (const word of ['A provider without a key', 'iv accounts create', 'iv keys create', '.data/api-key'])
    expect(text).toContain(word);
});

test('one page lists them all', async () => {
  const { text } = await service.ask('GET', '/docs/problems', { key: null });
  for (const code of codes) expect(text).toContain(`href="${problemType(code)}"`);
});

test.each(['/docs/problems', problemType('not_found')])('%s answers with a slash too', async (path) => {
  const [plain, slashed] = [path, `${path}/`].map((each) => service.ask('GET', each, { key: null }));
  expect(await slashed).toMatchObject({ status: 200, text: (await plain)?.text });
});

test('an unknown problem has no page', async () => {
  expect((await service.ask('GET', '/docs/problems/nothing', { key: null })).status).toBe(404);
});
