import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ValidationError } from '@insurance-verification/schema';
import { startFlags } from '@insurance-verification/testing/start-flags';
import { describe, expect, test } from 'vitest';
import { HOSTILE_BODIES, type HostileBody } from '../../../faults/ground/hostile-bodies.ts';
import { useService } from '../../a-service.ts';
import type { Answer } from '../../send.ts';
import { transports } from '../../transports.ts';
import type { HostileCost } from './measure-hostile-bodies.fixture.ts';

const service = useService();

const paths: Record<HostileBody['model'], Record<'REST' | 'tRPC', string>> = {
  ResponseModel: { REST: '/verification-output', tRPC: '/trpc/verificationOutput.submit' },
  RequestInfo: { REST: '/requests/', tRPC: '/trpc/requests.create' },
  SubmitWork: { REST: '/work/req_00000000000000000000000000/submit', tRPC: '/trpc/work.submit' },
};

function detailOf({ json }: Answer): readonly ValidationError[] | undefined {
  const answer = json as { detail?: ValidationError[]; error?: { data: { detail?: ValidationError[] } } };
  return answer.detail ?? answer.error?.data.detail;
}

/** It conforms; its operation takes 128 KiB. */
const TOO_LARGE = 'more valid codes than a create takes';

test('there are enough of them', () => expect(HOSTILE_BODIES.length).toBeGreaterThanOrEqual(60));

/** One for each answer of each operation: what reads a body is the same over both transports. */
const oneOfEach = [
  ...new Map(
    HOSTILE_BODIES.map((body) => [`${body.model} ${body.name === TOO_LARGE || body.faultCount}`, body]),
  ).values(),
];

describe.each(transports)('over $name', ({ name: transport }) => {
  test.each(transport === 'REST' ? HOSTILE_BODIES : oneOfEach)(
    '$model: $name',
    async ({ model, name, text, faultCount }) => {
      const body = text();
      expect(Buffer.byteLength(body)).toBeGreaterThan(900_000);
      const answer = await service.ask('POST', paths[model][transport], { body });
      if (name === TOO_LARGE) return expect(answer.status).toBe(413);
      if (faultCount === 0) return expect(answer.status).toBe(200);
      expect(answer.status).toBe(422);
      const detail = detailOf(answer) ?? [];
      if (faultCount === null) return expect(detail).toMatchObject([{ type: 'json_invalid' }]);
      // Over tRPC the request's id is one of the fields.
      const idCount = model === 'SubmitWork' && transport === 'tRPC' && faultCount < 1_000 ? 1 : 0;
      expect(detail).toHaveLength(faultCount + idCount);
      expect(new Set(detail.map(({ loc }) => loc.join())).size).toBe(detail.length);
    },
  );
});

const READINGS_MAX = 2;

// Broke: 349,000 empty entries took the event loop 8 s and 850 MB: Zod built every fault before 1,000 were kept.
// 50 ms are two readings on the machine on which a reading took 25; a slow machine, or a busy one, moves both.
test(
  'no body of a megabyte holds the event loop for two readings of one, or takes 30 MB',
  { timeout: 300_000 },
  async () => {
    const program = new URL('measure-hostile-bodies.fixture.ts', import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...startFlags, program, String(READINGS_MAX)],
      {
        maxBuffer: 16 * 1024 * 1024,
      },
    );
    const costs = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as HostileCost);
    expect(costs).toHaveLength(HOSTILE_BODIES.length);
    expect(costs.filter(({ readings, megabytes }) => readings > READINGS_MAX || megabytes > 30)).toEqual([]);
  },
);

// Broke: spreading 125,000 faults into one call exceeded the stack: 500.
test('a batch of two half megabytes of faults is answered with each', async () => {
  const half = `{"request":{},"insurance_data":[${'{},'.repeat(170_000)}{}]}`;
  const names = 'verificationOutput.submit,verificationOutput.submit';
  const answer = await service.ask('POST', `/trpc/${names}?batch=1`, { body: `{"0":${half},"1":${half}}` });
  const answers = answer.json as { error: { data: { httpStatus: number; detail: unknown[] } } }[];
  expect(answers.map(({ error }) => [error.data.httpStatus, error.data.detail.length])).toEqual([
    [422, 1_000],
    [422, 1_000],
  ]);
});
