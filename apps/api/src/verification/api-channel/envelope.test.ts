import { expect, test } from 'vitest';
import { unwrapAnswer } from './envelope.ts';

const TEXT = 'ISA*00*~ST*271~IEA*1*1~';

test('takes the X12 out of what a clearinghouse wraps it in', () => {
  expect(unwrapAnswer(TEXT)).toBe(TEXT);
  expect(unwrapAnswer(` {"status":"ok","payload":"${TEXT}"}`)).toBe(TEXT);
  expect(unwrapAnswer(`{"x12":"${TEXT}"}`)).toBe(TEXT);
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: text/plain\r\n\r\n${value}\r\n`;
  const form = `${part('PayloadType', 'X12_271')}${part('Payload', TEXT)}--b--\r\n`;
  expect(unwrapAnswer(form).trim()).toBe(TEXT);
  expect(unwrapAnswer(form.replaceAll('\r\n', '\n')).trim()).toBe(TEXT);
});

test.each([
  ['a field deeper in the JSON, by another name', JSON.stringify({ data: [{ id: 7 }, { edi271: TEXT }] })],
  ['JSON that repeats the inquiry', JSON.stringify({ sent: 'ISA*00*~ST*270~IEA*1*1~', got: TEXT })],
  ['a text as JSON', JSON.stringify(TEXT)],
  ['CDATA of a SOAP envelope', `<s:Envelope><Payload><![CDATA[${TEXT}]]></Payload></s:Envelope>`],
  ['a message within the body', `Content-Type: application/edi-x12\r\n\r\n${TEXT}`],
  [
    'an encoded part',
    `--b\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(TEXT).toString('base64')}\r\n--b--`,
  ],
  [
    'a part in quoted-printable',
    `--b\r\nContent-Transfer-Encoding: Quoted-Printable\r\n\r\n${TEXT.slice(0, 12)}=\r\n${TEXT.slice(12)}--b--`,
  ],
])('finds it in %s', (_name, body) => {
  expect(unwrapAnswer(body)).toBe(TEXT);
});

test('undoes what XML escapes, delimiters among it', () => {
  const body = '<Payload>\nISA*00*&gt;~&#x0D;&#10;NM1*IL*1*O&apos;NEIL &amp; SON~&nbsp;</Payload>';
  expect(unwrapAnswer(body)).toBe("\nISA*00*>~\r\nNM1*IL*1*O'NEIL & SON~&nbsp;");
});

// A clearinghouse's answer is untrusted text: its cost to the process must not grow quadratically.
test.each(['>ISA*', '<![CDATA[ISA*', '--b\n\n', '[', '{"a":'])('a megabyte of %j is over soon', (unit) => {
  const body = `<${unit.repeat(1_000_000 / unit.length)}`;
  expect(unwrapAnswer(body).length).toBeLessThanOrEqual(body.length);
  expect(unwrapAnswer(body.slice(1)).length).toBeLessThanOrEqual(body.length);
});

// The X12 reader then says what came instead.
test.each([
  '{"error":"down"}',
  '{"payload":7}',
  '{"payload":',
  '[]',
  '--b\r\n\r\nhello\r\n--b--',
  '<html></html>',
])('gives %j as it is', (body) => {
  expect(unwrapAnswer(body)).toBe(body);
});

test('of several parts the one with the 271 is the answer', () => {
  const [acknowledged, answered] = ['ISA*00*999~ST*999*0001~', 'ISA*00*271~ST*271*0001~'];
  const body = `--b\r\nA: 1\r\n\r\n${acknowledged}\r\n--b\r\nA: 2\r\n\r\n${answered}\r\n--b--`;
  expect(unwrapAnswer(body).trim()).toBe(answered);
});

test.each([
  ['quoted-printable', 'ISA*00*CAF=C9~'],
  ['"base64"', Buffer.from('ISA*00*CAFÉ~', 'latin1').toString('base64')],
])('a part in %s may be in Latin-1', (encoding, sent) => {
  const body = `--b\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${sent}\r\n--b--`;
  expect(unwrapAnswer(body).trim()).toBe('ISA*00*CAFÉ~');
});
