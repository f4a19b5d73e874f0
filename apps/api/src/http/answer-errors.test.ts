import type { Middleware } from 'koa';
import { expect, test } from 'vitest';
import { aKoaServer, anApp } from '../../test/a-koa-server.ts';
import type { CallState } from '../procedure/context/app.ts';
import { ProblemError, ValidationFailedError } from '../procedure/problem.ts';
import { answerErrors } from './answer-errors.ts';
import { openCall } from './every-call.ts';

const throwing = (thrown: unknown) => {
  const { app } = anApp();
  const fail: Middleware<CallState> = () => Promise.reject(thrown);
  return aKoaServer(
    openCall(app),
    answerErrors(() => null),
    fail,
  );
};

// Without it a caller could not tell what was refused, or when to ask again.
test('a problem is answered as one, with its headers', async () => {
  const res = await fetch(
    await throwing(new ProblemError('rate_limited', { headers: { 'retry-after': '7' } })),
  );
  expect(res.status).toBe(429);
  expect(res.headers.get('content-type')).toBe('application/problem+json');
  expect(res.headers.get('retry-after')).toBe('7');
  expect(await res.json()).toMatchObject({ code: 'rate_limited', status: 429 });
});

// Without it FastAPI's clients could not read what is wrong with their input.
test('what is not valid is answered as detail and nothing else', async () => {
  const detail = [{ loc: ['body', 'x'], msg: 'Field required', type: 'missing' }];
  const res = await fetch(await throwing(new ValidationFailedError(detail)));
  expect(res.status).toBe(422);
  expect(await res.json()).toEqual({ detail });
});

// Without it a driver's text, which may quote a patient's row, would be answered to whoever asked.
test('of any other error nothing is answered but the trace of its call', async () => {
  const res = await fetch(await throwing(new Error('row (Jane Doe)')));
  expect(res.status).toBe(500);
  const body = await res.text();
  expect(body).not.toContain('Jane Doe');
  expect(JSON.parse(body)).toMatchObject({ code: 'internal', request_trace: res.headers.get('request-id') });
});
