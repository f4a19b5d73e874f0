import { DEFAULT_PAYERS, type RequestModel } from '@insurance-verification/schema';
import { aPatient, aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { describe, expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { transports } from '../transports.ts';

const service = useService();

const REQUEST_ID = /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

describe.each(transports)('requests.create over $name', (transport) => {
  test('answers the stored request as pending', async () => {
    const before = Date.now();
    const answer = await transport.call(service, 'requests.create', { ...aRequest() });
    expect(answer.status).toBe(200);
    const created = transport.output<RequestModel>(answer);
    expect(answer.json).toEqual(
      transport.success({
        request_id: expect.stringMatching(REQUEST_ID),
        input: aRequest(),
        received_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        state: 'pending',
        error_reason: null,
      }),
    );
    expect(Date.parse(created.received_timestamp)).toBeGreaterThan(before - 5_000);
  });

  // A client that keeps the answer must hold the same data as the service.
  test('the answer is what is read later', async () => {
    const created = transport.output<RequestModel>(
      await transport.call(service, 'requests.create', { ...aRequest() }),
    );
    const read = await transport.call(service, 'requests.get', { request_id: created.request_id });
    expect(read.json).toEqual(transport.success(created));
  });

  test('unknown fields are dropped at every level', async () => {
    const body = aRequest();
    const answer = await transport.call(service, 'requests.create', {
      ...body,
      extra: 1,
      patient_info: { ...body.patient_info, ssn: '000-00-0000' },
      payer_info: { ...body.payer_info, extra: null },
      provider_info: { ...body.provider_info, extra: [] },
    });
    expect(transport.output<RequestModel>(answer).input).toEqual(body);
  });

  test('absent optional fields stay absent, and nulls stay null', async () => {
    const least = {
      patient_info: { subscriber_id: '' },
      payer_info: { name: DEFAULT_PAYERS[3], phone_number: null },
      provider_info: { npi: '', name: '' },
      cpt_code_coverage: null,
      callback_url: 'https://receiver.example/cb',
    };
    const answer = await transport.call(service, 'requests.create', least);
    expect(transport.output<RequestModel>(answer).input).toEqual(least);
  });

  test('every fault is reported at its place, in the order of the schema', async () => {
    const answer = await transport.call(service, 'requests.create', {
      ...aRequest(),
      patient_info: { subscriber_id: 5, dob: null },
      payer_info: { name: 'Plan X' },
      callback_url: 'ftp://x.example',
    });
    expect(answer.status).toBe(422);
    expect(answer.json).toEqual(
      transport.invalid(
        {
          loc: ['body', 'patient_info', 'subscriber_id'],
          msg: 'Input should be a valid string',
          type: 'string_type',
        },
        { loc: ['body', 'patient_info', 'dob'], msg: 'Input should be a valid string', type: 'string_type' },
        {
          loc: ['body', 'payer_info', 'name'],
          msg: "Input should be 'Payer Plan 1', 'Payer Plan 2', 'Payer Plan 3' or 'Payer Plan 4'",
          type: 'enum',
        },
        { loc: ['body', 'callback_url'], msg: "URL scheme should be 'http' or 'https'", type: 'url_scheme' },
      ),
    );
  });

  test('a body that is not JSON is json_invalid', async () => {
    const path = transport.name === 'REST' ? '/requests/' : '/trpc/requests.create';
    const answer = await service.ask('POST', path, { body: '{"patient_info": x}' });
    expect(answer.status).toBe(422);
    expect(answer.json).toEqual(
      transport.invalid({ loc: ['body', 17], msg: 'JSON decode error', type: 'json_invalid' }),
    );
  });
});

// Without it an output could be larger than a body may be, since it repeats the request: no result would ever come.
describe.each(transports)('the size of a request over $name', (transport) => {
  const REQUEST_BYTES_MAX = 131_072;
  const withAddress = (address: string) => aRequest({ patient_info: aPatient({ address }) });
  /** What the address may take: the rest of the request is in ASCII. */
  const room = REQUEST_BYTES_MAX - JSON.stringify(withAddress('')).length;

  test.each([
    ['ASCII', 'x', 1],
    ['letters beyond ASCII', 'é', 6],
    ['characters beyond the basic plane', '🦷', 12],
    ['control characters', '\0', 6],
    ['lone surrogates', '\ud800', 6],
  ])(
    'is counted as ASCII-escaped JSON: of %s it takes 128 KiB, and no byte more',
    async (_, one, byteCount) => {
      const count = Math.floor(room / byteCount);
      const filled = one.repeat(count) + 'x'.repeat(room - count * byteCount);
      const taken = await transport.call(service, 'requests.create', { ...withAddress(filled) });
      expect(taken.status).toBe(200);
      expect(transport.output<RequestModel>(taken).input).toEqual(withAddress(filled));
      const refused = await transport.call(service, 'requests.create', { ...withAddress(`${filled}x`) });
      expect([refused.status, refused.json]).toEqual([413, transport.problem('payload_too_large')]);
    },
  );

  test('counts neither white space nor unknown members', async () => {
    const text = JSON.stringify({ ...withAddress('x'.repeat(room)), filler: 'x'.repeat(200_000) }, null, 4);
    const path = transport.name === 'REST' ? '/requests/' : '/trpc/requests.create';
    expect((await service.ask('POST', path, { body: text })).status).toBe(200);
  });

  // The largest request, and what a verifier found out about it.
  test('leaves room for its output', async () => {
    const request = transport.output<RequestModel>(
      await transport.call(service, 'requests.create', { ...withAddress('é'.repeat(Math.floor(room / 6))) }),
    );
    const answer = await transport.call(service, 'verificationOutput.submit', { ...anOutput(request) });
    expect([answer.status, answer.json]).toEqual([200, transport.success({ status: 'applied', version: 1 })]);
  });
});

test('the path without its slash is the same operation', async () => {
  const { status, json } = await service.ask('POST', '/requests', { body: aRequest() });
  expect(status).toBe(200);
  expect(json).toMatchObject({ state: 'pending', input: aRequest() });
  expect((await service.ask('GET', '/requests?limit=1')).status).toBe(200);
});

test('a body over the limit is 413', async () => {
  const { status, json, headers } = await service.ask('POST', '/requests/', { body: 'x'.repeat(1_048_577) });
  expect(status).toBe(413);
  expect(headers['content-type']).toBe('application/problem+json');
  expect(json).toEqual({
    type: '/docs/problems/payload_too_large',
    title: 'Payload too large',
    status: 413,
    detail: 'The body is larger than the service accepts.',
    code: 'payload_too_large',
  });
});

test('an encoded body is 415 and says what is accepted', async () => {
  const answer = await service.ask('POST', '/requests/', {
    body: aRequest(),
    headers: { 'content-encoding': 'gzip' },
  });
  expect(answer.status).toBe(415);
  expect(answer.headers['accept-encoding']).toBe('identity');
  expect(answer.json).toEqual({
    type: '/docs/problems/unsupported_content_encoding',
    title: 'Unsupported content encoding',
    status: 415,
    detail: 'The body must be sent without a content encoding.',
    code: 'unsupported_content_encoding',
  });
});
