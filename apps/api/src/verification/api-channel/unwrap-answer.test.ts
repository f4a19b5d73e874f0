import { expect, it } from 'vitest';
import { unwrapAnswer } from './unwrap-answer.ts';

const TEXT = 'ISA*00*~IEA*1*1~';

it('takes the X12 out of what a clearinghouse wraps it in', () => {
  expect(unwrapAnswer('application/edi-x12', TEXT)).toBe(TEXT);
  expect(unwrapAnswer('application/json', ` {"status":"ok","payload":"${TEXT}"}`)).toBe(TEXT);
  expect(unwrapAnswer('text/plain', `{"x12":"${TEXT}"}`)).toBe(TEXT);
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: text/plain\r\n\r\n${value}\r\n`;
  const form = `${part('PayloadType', 'X12_271')}${part('Payload', TEXT)}--b--\r\n`;
  expect(unwrapAnswer('multipart/form-data; boundary="b"', form).trim()).toBe(TEXT);
  expect(unwrapAnswer('multipart/related; type=x; boundary=b', form.replaceAll('\r\n', '\n')).trim()).toBe(
    TEXT,
  );
});

// The reader of X12 then says what came instead.
it.each([
  ['application/json', '{"error":"down"}'],
  ['application/json', '{"payload":7}'],
  ['application/json', '{"payload":'],
  ['application/json', '[]'],
  ['multipart/form-data; boundary=b', '--b\r\n\r\nhello\r\n--b--'],
  ['text/html', '<html></html>'],
])('gives %s without X12 as it is', (contentType, body) => {
  expect(unwrapAnswer(contentType, body)).toBe(body);
});
