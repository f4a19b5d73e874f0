import { expect, it } from 'vitest';
import { unwrapAnswer } from './unwrap-answer.ts';

const TEXT = 'ISA*00*~IEA*1*1~';

it('takes the X12 out of what a clearinghouse wraps it in', () => {
  expect(unwrapAnswer(TEXT)).toBe(TEXT);
  expect(unwrapAnswer(` {"status":"ok","payload":"${TEXT}"}`)).toBe(TEXT);
  expect(unwrapAnswer(`{"x12":"${TEXT}"}`)).toBe(TEXT);
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: text/plain\r\n\r\n${value}\r\n`;
  const form = `${part('PayloadType', 'X12_271')}${part('Payload', TEXT)}--b--\r\n`;
  expect(unwrapAnswer(form).trim()).toBe(TEXT);
  expect(unwrapAnswer(form.replaceAll('\r\n', '\n')).trim()).toBe(TEXT);
});

// The reader of X12 then says what came instead.
it.each([
  '{"error":"down"}',
  '{"payload":7}',
  '{"payload":',
  '[]',
  '--b\r\n\r\nhello\r\n--b--',
  '<html></html>',
])('gives %j as it is', (body) => {
  expect(unwrapAnswer(body)).toBe(body);
});
