import * as z from 'zod';
import { allowedCidrs, Scope, VerifyWithin } from '../access/scope.ts';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { model } from '../model.ts';
import { cursorField, limitField, nextCursorField } from '../page.ts';
import { endedEndpoints, examplePausedEndpoint, successorField } from './endpoints.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { operation } from './operation.ts';

const apiKeyShape = {
  key_id: z.string().meta({ description: 'The id of the key; not secret.' }),
  account_id: z.string().meta({ description: 'The account it acts for.' }),
  account_name: z.string().meta({ description: 'The name of that account.' }),
  name: z.string().nullable().meta({ description: 'Its name, for people; null when it has none.' }),
  prefix: z
    .string()
    .meta({ description: "The start of the key's text, to distinguish keys; not enough to use it." }),
  scopes: list(Scope).meta({ description: 'What it may do.' }),
  created_at: dateTime().meta({ description: 'When it was created.' }),
  expires_at: dateTime()
    .nullable()
    .meta({ description: 'When it stops working; null when it does not expire.' }),
  revoked_at: dateTime().nullable().meta({ description: 'When it was revoked; null when it was not.' }),
  last_used_at: dateTime().nullable().meta({ description: 'When it was last used; null when never.' }),
  allowed_cidrs: list(z.string()).nullable().meta({
    description:
      'The networks it works from, in addition to those of its account; null when it works from anywhere.',
  }),
  verify_within: VerifyWithin.nullable().meta({
    description: 'What its scope verify is kept to; null when to nothing.',
  }),
  created_by: z.string().nullable().meta({
    description:
      'Who made it: a person (stf_…) or a key; null for a key of the first start, and where a live caller made it, to a test account’s key.',
  }),
  creator_left: z.boolean().meta({
    description: 'Whether a person made it whose access has ended since; such a key may have left with them.',
  }),
  endpoint_ids: list(z.string()).meta({
    description:
      'The endpoints that it made or took over. They are paused when it is revoked without a successor, and are the account’s when it ends by its date.',
  }),
};

/** An API key without its text (`keys.list`). */
export const ApiKey = model('ApiKey', 'An API key without its text.', apiKeyShape);
export type ApiKey = z.infer<typeof ApiKey>;

/** A key that was just created: the only answer that ever holds its text (`keys.create`). */
export const CreatedApiKey = model('CreatedApiKey', 'A key that was just created, with its text.', {
  ...apiKeyShape,
  key: z.string().meta({ description: "The key's text, for the header x-key. Shown once." }),
});
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

/** A key that was revoked, with the endpoints that it had made (`keys.revoke`). */
export const RevokedApiKey = model('RevokedApiKey', 'A key that was revoked, with its endpoints.', {
  ...apiKeyShape,
  endpoints: endedEndpoints(),
});
export type RevokedApiKey = z.infer<typeof RevokedApiKey>;

/** The body that revokes a key (`keys.revoke`). */
export const RevokeApiKey = model('RevokeApiKey', 'Revokes a key.', { successor: successorField() });
export type RevokeApiKey = z.infer<typeof RevokeApiKey>;

/** One page of keys. */
export const ApiKeyList = model('ApiKeyList', 'One page of keys.', {
  items: list(ApiKey).meta({ description: 'The keys, newest first.' }),
  next_cursor: nextCursorField(),
});
export type ApiKeyList = z.infer<typeof ApiKeyList>;

/** The body that creates an API key (`keys.create`). */
export const CreateApiKey = model('CreateApiKey', 'Creates an API key.', {
  account_id: z.string().meta({ description: 'The account it will act for.' }),
  scopes: list(Scope)
    .min(1)
    .meta({ description: 'What it may do; keys of provider accounts take only requests and secrets.' }),
  name: z.string().nullable().optional().meta({ description: 'Its name, for people; null or absent: none.' }),
  expires_at: dateTime()
    .nullable()
    .optional()
    .meta({ description: 'When it stops working; absent: in a year; null: never.' }),
  allowed_cidrs: allowedCidrs().nullable().optional().meta({
    description:
      'The only networks it works from, in addition to those of its account; null or absent: anywhere.',
  }),
  verify_within: VerifyWithin.nullable().optional().meta({
    description: 'What its scope verify is kept to; null or absent: nothing.',
  }),
});
export type CreateApiKey = z.infer<typeof CreateApiKey>;

/** Which page of the keys to read (`keys.list`). */
export const ListKeys = model('ListKeys', 'Which page of the keys to read, newest first.', {
  limit: limitField(),
  cursor: cursorField(),
  creator: z.enum(['left']).optional().meta({
    description: '`left`: only keys that still work and were made by a person whose access has ended.',
  }),
});
/** {@link ListKeys} as a type, after the default is filled in. */
export type ListKeys = z.infer<typeof ListKeys>;

/** The key that it posts them with. */
const exampleKey: ApiKey = {
  key_id: EXAMPLE_IDS.key,
  account_id: EXAMPLE_IDS.account,
  account_name: 'Main Street Dental',
  name: 'Practice software',
  prefix: 'ivk_live_5f0c',
  scopes: ['requests'],
  created_at: '2026-11-02T08:05:00.000Z',
  expires_at: '2027-11-02T08:05:00.000Z',
  revoked_at: null,
  last_used_at: '2026-11-20T09:30:00.000Z',
  allowed_cidrs: ['203.0.113.0/24'],
  verify_within: null,
  created_by: EXAMPLE_IDS.staff,
  creator_left: false,
  endpoint_ids: [EXAMPLE_IDS.endpoint],
};

/** The operations of `keys`. */
export const keysOperations = () => ({
  // A second create makes a second key or account.
  create: operation('keys.create', {
    post: '/keys',
    scopes: ['admin'],
    audience: ['operator'],
    repeatable: false,
    asksFreshSignIn: true,
    tag: 'Access',
    summary: 'Create an API key',
    description:
      'Creates a key for an account. The key is shown only once; store it as a secret. Two live keys let a client change from one to the other without a gap.',
    changes: ['access'],
    input: CreateApiKey,
    output: CreatedApiKey,
    example: {
      account_id: EXAMPLE_IDS.account,
      name: 'Practice software',
      scopes: ['requests'],
      expires_at: '2027-11-02T08:05:00Z',
      allowed_cidrs: ['203.0.113.0/24'],
    },
    answers: {
      created: {
        ...exampleKey,
        last_used_at: null,
        key: 'ivk_live_5f0c…', // not in the issued form: scanners for leaked keys would find it
      },
    },
  }),

  list: operation('keys.list', {
    get: '/keys',
    scopes: ['admin'],
    audience: ['operator'],
    tag: 'Access',
    summary: 'List API keys, newest first',
    description:
      'Returns a page of the keys of all accounts, revoked and expired ones included. With `creator=left` it lists live keys that were created by a person who has left. It never returns a key’s text.',
    limit: 'reads',
    input: ListKeys,
    output: ApiKeyList,
    example: { limit: 20, cursor: EXAMPLE_IDS.key, creator: 'left' },
    answers: { page: { items: [exampleKey], next_cursor: null } },
  }),

  revoke: operation('keys.revoke', {
    post: '/keys/{key_id}/revoke',
    scopes: ['admin'],
    audience: ['operator'],
    repeatable: true,
    asksFreshSignIn: true,
    tag: 'Access',
    summary: 'Revoke an API key',
    description:
      'Revokes a key for good: at once in the process that handles the call, within a second in all others. Its leases go back, and its call-backs are open to every verifier. The endpoints that it made are paused until somebody of the account enables them; with a `successor` they continue without a gap. Revoking it again changes nothing, except that a successor takes over what was paused.',
    problems: ['not_found'],
    changes: ['access', 'delivery', 'work'],
    params: z.object({ key_id: z.string().meta({ description: 'The id of the key.' }) }),
    input: RevokeApiKey,
    output: RevokedApiKey,
    example: { successor: EXAMPLE_IDS.staff },
    answers: {
      paused: {
        ...exampleKey,
        revoked_at: '2026-11-20T12:00:00.000Z',
        endpoints: [examplePausedEndpoint],
      },
    },
  }),
});
