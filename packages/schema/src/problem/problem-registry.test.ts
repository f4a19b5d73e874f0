import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type ProblemCode, PROBLEMS } from './problem-registry.ts';
import { problemOf, problemType, Problem } from './problem.ts';
const codes = Object.keys(PROBLEMS) as ProblemCode[];

describe('the problem registry', () => {
  test.each(codes)('%s makes a body of the model, in one sentence', (code) => {
    const problem = problemOf(code);
    expect(Problem.parse(problem)).toEqual(problem);
    expect(problem).toMatchObject({ type: `/docs/problems/${code}`, code });
    expect(problem.detail).toMatch(/^[A-Z].*\.$/);
    expect(PROBLEMS[code].status).toBeGreaterThanOrEqual(400);
    expect(PROBLEMS[code].status).not.toBe(422);
  });

  // Broke: a page told a verifier that `request_trace` names the occurrence. Headers and members are the page's to tell.
  test.each(['internal', 'unavailable', 'rate_limited', 'held_capacity_exceeded'] as const)(
    '%s, which anyone may meet, is in words for people',
    (code) => {
      expect(problemOf(code).detail).not.toMatch(/header|_|[A-Z]\w+-[A-Z]/);
    },
  );

  test('gives a trace only when there is one', () => {
    expect(problemOf('internal', { request_trace: 'abc' })).toEqual({
      ...problemOf('internal'),
      request_trace: 'abc',
    });
    expect(problemOf('not_found')).not.toHaveProperty('request_trace');
  });

  test('names the scopes that would do, for people and for programs', () => {
    expect(problemOf('forbidden', { required_scopes: ['requests', 'operate'] })).toEqual({
      ...problemOf('forbidden'),
      detail: 'The caller lacks the scope that this operation needs: requests or operate.',
      required_scopes: ['requests', 'operate'],
    });
  });

  test('names the policies of a quota that was exceeded, and none otherwise', () => {
    expect(problemOf('rate_limited', { violated_policies: ['intake'] })).toEqual({
      ...problemOf('rate_limited'),
      violated_policies: ['intake'],
    });
    expect(problemOf('rate_limited')).not.toHaveProperty('violated_policies');
  });

  // A missing and a foreign request must get the same bytes.
  test('has one text per code', () => {
    expect(new Set(codes.map(problemType)).size).toBe(codes.length);
    expect(new Set(codes.map((code) => PROBLEMS[code].sentence)).size).toBe(codes.length);
  });

  test('is the table of the README', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const rows = codes.map((code) => {
      const { status, retryable, sentence } = PROBLEMS[code];
      return `| \`${code}\` | ${status} | ${retryable ? 'yes' : 'no'} | ${sentence} |`;
    });
    // The formatter pads the cells of a table.
    expect(readme.replaceAll(/ +\| ?/g, ' | ').replaceAll(/ +$/gm, '')).toContain(rows.join('\n'));
  });
});
