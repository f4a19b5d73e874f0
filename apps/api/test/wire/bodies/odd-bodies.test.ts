import type { RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { describe, expect, test } from 'vitest';
import { useService } from '../../a-service.ts';
import { transports } from '../../transports.ts';

const service = useService();

/** The valid body's text with a member inserted. */
const withKey = (key: string, value: string) =>
  JSON.stringify(aRequest()).replace(/^\{/, `{"${key}":${value},`);
const withSubscriberId = (value: string) => JSON.stringify(aRequest()).replace('"W123456789"', value);

const paths = { REST: '/requests/', tRPC: '/trpc/requests.create' };

describe.each(transports)('over $name', (transport) => {
  const create = (body: unknown) => service.ask('POST', paths[transport.name], { body });
  const created = async (body: unknown) => transport.output<RequestModel>(await create(body));

  // Two parsers that choose differently let a body bypass a filter.
  test('of a repeated key the last value counts', async () => {
    const text = JSON.stringify(aRequest()).replace('"npi":', '"npi":"first","npi":');
    expect((await created(text)).input.provider_info.npi).toBe(aRequest().provider_info.npi);
  });

  test('keys that reach for prototypes are dropped like any unknown one', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      const { input } = await created(withKey(key, '{"polluted":true,"toString":null}'));
      expect(input).toEqual(aRequest());
      expect(Object.hasOwn(input, key)).toBe(false);
    }
    expect('polluted' in {}).toBe(false);
  });

  // A field supplied only by inheritance must not count as given.
  test('a required field inside __proto__ is missing', async () => {
    const answer = await create(`{"__proto__":${JSON.stringify(aRequest())}}`);
    const missing = (name: string) => ({ loc: ['body', name], msg: 'Field required', type: 'missing' });
    expect(answer.json).toEqual(
      transport.invalid(
        missing('patient_info'),
        missing('payer_info'),
        missing('provider_info'),
        missing('callback_url'),
      ),
    );
  });

  const nesting: [what: string, open: string, close: string][] = [
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ];
  test.each(nesting)('50,000 levels of %s in an unknown key are dropped', async (_, open, close) => {
    const deep = `${open.repeat(50_000)}1${close.repeat(50_000)}`;
    expect((await created(withKey('unknown', deep))).input).toEqual(aRequest());
  });

  test.each(nesting)('50,000 levels of %s where a text is due are a fault there', async (_, open, close) => {
    const answer = await create(withSubscriberId(`${open.repeat(50_000)}1${close.repeat(50_000)}`));
    const loc = ['body', 'patient_info', 'subscriber_id'];
    expect(answer.json).toEqual(
      transport.invalid({ loc, msg: 'Input should be a valid string', type: 'string_type' }),
    );
  });

  test.each(nesting)('50,000 levels of %s cut off are malformed at their end', async (_, open) => {
    const text = `{"unknown":${open.repeat(50_000)}`;
    const answer = await create(text);
    expect(answer.json).toEqual(
      transport.invalid({ loc: ['body', text.length], msg: 'JSON decode error', type: 'json_invalid' }),
    );
  });

  test.each(['1e400', '-1e400', '12345678901234567890', '-0', '0.1e-400', '1.5', 'true', 'null', '[]', '{}'])(
    '%s where a text is due is a fault, and no coercion makes it one',
    async (value) => {
      const answer = await create(withSubscriberId(value));
      const loc = ['body', 'patient_info', 'subscriber_id'];
      expect(answer.json).toEqual(
        transport.invalid({ loc, msg: 'Input should be a valid string', type: 'string_type' }),
      );
    },
  );

  test.each([
    ['NUL', 'a\0b'],
    ['a lone surrogate', 'a\ud800b\udc00'],
    ['surrogates the wrong way round', '\udc00\ud800'],
    ['bidi marks', '\u202eabc\u2066\u200f'],
    ['emoji', '👩‍👩‍👧‍👦 🏳️‍🌈'],
    ['another normal form', 'e\u0301 \u1e9b\u0323'],
    ['line separators', '\u2028\u2029\u0085\r\n'],
    ['a byte order mark', '\ufeffx\ufeff'],
    ['nothing', ''],
    ['4,000 characters', 'é😀'.repeat(2_000)],
  ])('a name of %s is kept and returned exactly', async (_, name) => {
    const body = aRequest({ patient_info: { subscriber_id: name, dob: name, name, address: null } });
    const { request_id, input } = await created(body);
    expect(input).toEqual(body);
    const read = await transport.call(service, 'requests.get', { request_id });
    expect(transport.output<RequestModel>(read).input).toEqual(body);
  });
});

// The path holds part of the input here, and the body is merged with it.
test('a body that is no object is reported as one where the path holds the id', async () => {
  const close = (body: string) => service.ask('POST', '/requests/req_x/close', { body });
  const missing = { loc: ['body'], msg: 'Field required', type: 'missing' };
  const msg = 'Input should be a valid dictionary or object to extract fields from';
  expect((await close('')).json).toEqual({ detail: [missing] });
  expect((await close('null')).json).toEqual({ detail: [missing] });
  for (const text of ['[]', '"x"', '5', 'true']) {
    expect((await close(text)).json).toEqual({
      detail: [{ loc: ['body'], msg, type: 'model_attributes_type' }],
    });
  }
});

test('an id in the body does not take the place of the one in the path, and is refused', async () => {
  const request = await service.answer<RequestModel>('POST', '/requests/', aRequest());
  const body = { reason: 'withdrawn', request_id: request.request_id };
  expect((await service.ask('POST', '/requests/req_x/close', { body })).json).toMatchObject({
    detail: [{ loc: ['body', 'request_id'], type: 'extra_forbidden' }],
  });
  expect((await service.ask('POST', '/requests/req_x/close', { body: { reason: 'withdrawn' } })).status).toBe(
    404,
  );
});
