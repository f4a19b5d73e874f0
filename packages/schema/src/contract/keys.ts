import * as z from 'zod';
import { ApiKey, ApiKeyList, CreatedApiKey } from '../access/keys/api-key.ts';
import { CreateApiKey } from '../access/keys/create-api-key.ts';
import { ListKeys } from '../access/keys/list-keys.ts';
import { exampleKey } from './examples/access.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { operation } from './operation.ts';

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
      'Makes a key of an account. The answer is the only one that ever holds its text: keep it where secrets are kept. Two live keys at once let a client change over without a gap.',
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
      "Pages through the keys of all accounts, revoked and expired ones among them; with `creator=left` only those that still work and were made by a person who has left. No answer holds a key's text.",
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
      'Ends a key for good: at once in the process that is asked, within a second in every other. A key that is revoked already stays so.',
    problems: ['not_found'],
    changes: ['access'],
    params: z.object({ key_id: z.string().meta({ description: 'The id of the key.' }) }),
    output: ApiKey,
    answers: { revoked: { ...exampleKey, revoked_at: '2026-11-20T12:00:00.000Z' } },
  }),
});
