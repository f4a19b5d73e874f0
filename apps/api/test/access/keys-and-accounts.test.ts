import type { ApiKey, CreatedApiKey } from '@insurance-verification/schema';
import { describe, expect, test } from 'vitest';
import { anAccount } from '../a-key.ts';
import { aService, useService } from '../a-service.ts';
import { rows } from '../rows.ts';
import { transports } from '../transports.ts';

const service = useService();

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const works = async (key: string) => (await service.ask('GET', '/requests/', { key })).status === 200;

describe.each(transports)('over $name', (transport) => {
  test('accounts.create answers the account, a live provider by default', async () => {
    const plain = await transport.call(service, 'accounts.create', { name: 'Main Street Dental' });
    const account = {
      account_id: expect.stringMatching(/^acct_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      created_at: timestamp,
      suspended_at: null,
      retention_days: null,
      retention_asked: null,
    };
    expect([plain.status, plain.json]).toEqual([
      200,
      transport.success({ ...account, name: 'Main Street Dental', kind: 'provider', mode: 'live' }),
    ]);
    const other = await transport.call(service, 'accounts.create', {
      name: 'Us',
      kind: 'platform',
      mode: 'test',
    });
    const ours = { name: 'Us', kind: 'platform', mode: 'test', retention_days: 30 };
    expect(other.json).toEqual(transport.success({ ...account, ...ours }));
  });

  // Broke: `text` refuses NUL, so such a name was a 500.
  test('names are kept exactly', async () => {
    const name = 'NUL \0, half \ud800, 👩🏽‍⚕️, "quoted"';
    const answer = await transport.call(service, 'accounts.create', { name });
    expect(transport.output(answer)).toMatchObject({ name });
    const { account_id } = transport.output<{ account_id: string }>(answer);
    const key = await transport.call(service, 'keys.create', { account_id, scopes: ['requests'], name });
    expect(transport.output(key)).toMatchObject({ name });
    expect(
      transport.output<{ items: ApiKey[] }>(await transport.call(service, 'keys.list', { limit: 1 })).items[0]
        ?.name,
    ).toBe(name);
  });

  test.each([
    [{}, 'name', 'Field required', 'missing'],
    [{ name: '' }, 'name', 'String should have at least 1 character', 'string_too_short'],
    [{ name: 'x'.repeat(201) }, 'name', 'String should have at most 200 characters', 'string_too_long'],
    [{ name: 'x', kind: 'other' }, 'kind', "Input should be 'provider' or 'platform'", 'enum'],
    [{ name: 'x', mode: null }, 'mode', "Input should be 'live' or 'test'", 'enum'],
  ])('accounts.create refuses %o', async (input, name, msg, type) => {
    const answer = await transport.call(service, 'accounts.create', { mode: 'live', ...input });
    expect([answer.status, answer.json]).toEqual([
      422,
      transport.invalid({ loc: ['body', name], msg, type }),
    ]);
  });

  test('accounts.list pages from the newest to the default account', async () => {
    const own = await aService();
    const made = [];
    for (const name of ['a', 'b']) made.push(await anAccount(own, { name }));
    const first = await transport.call(own, 'accounts.list', { limit: 1 });
    expect([first.status, first.json]).toEqual([
      200,
      transport.success({ items: [made[1]], next_cursor: made[1]?.account_id }),
    ]);
    const rest = await transport.call(own, 'accounts.list', { cursor: made[1]?.account_id });
    const standard = {
      account_id: 'acct_00000000000000000000000000',
      name: 'default',
      kind: 'platform',
      mode: 'live',
      retention_days: null,
      retention_asked: null,
    };
    expect(rest.json).toEqual(
      transport.success({
        items: [made[0], { ...standard, created_at: timestamp, suspended_at: null }],
        next_cursor: null,
      }),
    );
  });

  test.each([
    ['live', 'ivk_live_'],
    ['test', 'ivk_test_'],
  ] as const)('keys.create answers the text of a %s key once', async (mode, prefix) => {
    const { account_id } = await anAccount(service, { mode });
    const answer = await transport.call(service, 'keys.create', {
      account_id,
      scopes: ['requests', 'requests'],
      name: 'Front desk',
    });
    const view = {
      key_id: expect.stringMatching(/^key_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      account_id,
      account_name: 'Main Street Dental',
      name: 'Front desk',
      prefix: expect.stringMatching(new RegExp(`^${prefix}[0-9a-f]{4}$`)),
      scopes: ['requests'],
      created_at: timestamp,
      expires_at: timestamp,
      revoked_at: null,
      last_used_at: null,
      allowed_cidrs: null,
      verify_within: null,
      created_by: expect.stringMatching(/^key_/),
      creator_left: false,
      endpoint_ids: [],
    };
    const text = expect.stringMatching(new RegExp(`^${prefix}[0-9a-f]{48}$`));
    expect([answer.status, answer.json]).toEqual([200, transport.success({ ...view, key: text })]);
    const { key, key_id } = transport.output<CreatedApiKey>(answer);
    expect(await works(key)).toBe(true);
    const list = await transport.call(service, 'keys.list', { limit: 1 });
    expect(list.json).toEqual(
      transport.success({ items: [{ ...view, last_used_at: timestamp }], next_cursor: key_id }),
    );
    const stored = await rows(service.databaseUrl, 'select * from api_key where id = $1', [key_id]);
    expect(JSON.stringify(stored)).not.toContain(key.slice(14));
  });

  test.each(['verify', 'operate', 'admin', 'audit', 'privacy'])(
    'scope %s exists only on keys of platform accounts',
    async (scope) => {
      const { account_id } = await anAccount(service);
      const answer = await transport.call(service, 'keys.create', {
        account_id,
        scopes: ['requests', scope],
      });
      const msg = 'Keys of provider accounts may have the scopes requests and secrets only';
      expect([answer.status, answer.json]).toEqual([
        422,
        transport.invalid({ loc: ['body', 'scopes'], msg, type: 'value_error' }),
      ]);
      const platform = await anAccount(service, { kind: 'platform' });
      expect(
        (await transport.call(service, 'keys.create', { account_id: platform.account_id, scopes: [scope] }))
          .status,
      ).toBe(200);
    },
  );

  test.each(['acct_01jdabcdefghjkmnpqrstvwxyz', 'acct_x', '\0'])(
    'a key for the account %j is refused at the account',
    async (account_id) => {
      const answer = await transport.call(service, 'keys.create', { account_id, scopes: ['requests'] });
      const msg = 'There is no account with this id';
      expect([answer.status, answer.json]).toEqual([
        422,
        transport.invalid({ loc: ['body', 'account_id'], msg, type: 'account_not_found' }),
      ]);
    },
  );

  test('keys.create refuses a key without a scope, or with an unknown one', async () => {
    const { account_id } = await anAccount(service);
    const none = await transport.call(service, 'keys.create', { account_id, scopes: [] });
    const msg = 'List should have at least 1 item after validation';
    expect([none.status, none.json]).toEqual([
      422,
      transport.invalid({ loc: ['body', 'scopes'], msg, type: 'too_short' }),
    ]);
    const wrong = await transport.call(service, 'keys.create', { account_id, scopes: ['requests', 'root'] });
    expect([wrong.status, wrong.json]).toEqual([
      422,
      transport.invalid({
        loc: ['body', 'scopes', 1],
        msg: "Input should be 'requests', 'secrets', 'verify', 'operate', 'admin', 'audit' or 'privacy'",
        type: 'enum',
      }),
    ]);
  });

  // Broke: only the first fault was reported, so correcting a body with two took two rounds.
  test('keys.create and accounts.create report every fault at once', async () => {
    const fault = (name: string, msg: string, type: string) => ({ loc: ['body', name], msg, type });
    const future = fault('expires_at', 'Input should be in the future', 'datetime_future');
    const { account_id } = await anAccount(service);
    const past = { scopes: ['verify'], expires_at: '2020-01-01T00:00:00Z' };
    const answers = [
      await transport.call(service, 'keys.create', { account_id, ...past }),
      await transport.call(service, 'keys.create', { account_id: 'acct_x', ...past }),
      await transport.call(service, 'keys.create', { name: 7, expires_at: '2020-01-01' }),
      await transport.call(service, 'accounts.create', { kind: 'other', mode: null }),
    ];
    const scopes = 'Keys of provider accounts may have the scopes requests and secrets only';
    expect(answers.map(({ status, json }) => [status, json])).toEqual(
      [
        [fault('scopes', scopes, 'value_error'), future],
        [fault('account_id', 'There is no account with this id', 'account_not_found'), future],
        [
          fault('account_id', 'Field required', 'missing'),
          fault('scopes', 'Field required', 'missing'),
          fault('name', 'Input should be a valid string', 'string_type'),
          fault(
            'expires_at',
            'Input should be a valid datetime or date, input is too short',
            'datetime_from_date_parsing',
          ),
        ],
        [
          fault('name', 'Field required', 'missing'),
          fault('kind', "Input should be 'provider' or 'platform'", 'enum'),
          fault('mode', "Input should be 'live' or 'test'", 'enum'),
        ],
      ].map((detail) => [422, transport.invalid(...detail)]),
    );
  });
});
