import type { RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { describe, expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { transports } from '../transports.ts';

const service = useService();

const STRANGE = {
  NUL: 'a\0b\0',
  'lone surrogates': '\ud800 high, low \udfff',
  'bidirectional marks': '\u202eevil\u202c \u2067x\u2069',
  emoji: '👩🏽‍⚕️🦷',
  'combining and unnormalised letters': 'e\u0301 é \u212b',
  'line separators and a byte order mark': '\ufeff\u2028\u2029\r\n\t',
  'a name of 2,000 letters': 'Ä'.repeat(2_000),
  'JSON in a string': '{"a":"\\u0000"}',
};

// `text` and `jsonb` refuse or change several of these: a patient's name would come back altered.
describe.each(transports)('over $name', (transport) => {
  test.each(Object.entries(STRANGE))('%s comes back as it went in', async (_, text) => {
    const body = aRequest({
      patient_info: { subscriber_id: text, dob: text, name: text, address: text },
      provider_info: { npi: text, name: text, tin: text, organization_name: text },
      cpt_code_coverage: [text],
    });
    const created = transport.output<RequestModel>(
      await transport.call(service, 'requests.create', { ...body }),
    );
    expect(created.input).toEqual(body);
    const read = await transport.call(service, 'requests.get', { request_id: created.request_id });
    expect(transport.output<RequestModel>(read).input).toEqual(body);
  });
});

test.each(Object.entries(STRANGE))(
  '%s as a reason from a verifier comes back as it went in',
  async (_, text) => {
    const request = await service.answer<RequestModel>('POST', '/requests/', aRequest());
    await service.answer(
      'POST',
      '/verification-output',
      anOutput(request, { state: 'error_verifying', error_reason: text }),
    );
    const read = await service.answer<RequestModel>('GET', `/requests/${request.request_id}`);
    expect(read.error_reason).toBe(text);
  },
);

test.each([
  'http://RECEIVER.Example:80/a/../b?q=%7e&x=%C3%A4#Fragment',
  'HTTPS://user:p%40ss@receiver.example',
  'http://0x7f.1/',
  `https://receiver.example/${'x'.repeat(2083 - 25)}`,
])('the callback address %s is kept verbatim', async (callback_url) => {
  const answer = await service.ask('POST', '/requests/', { body: aRequest({ callback_url }) });
  expect(answer.json).toMatchObject({ input: { callback_url } });
});
