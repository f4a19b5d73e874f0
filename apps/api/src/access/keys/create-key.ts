import { CreateApiKey, CreatedApiKey, type ValidationError } from '@insurance-verification/schema';
import { type ApiKeyFault, createApiKey } from '@insurance-verification/store';
import { exampleKey } from '../../examples/access.ts';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { ValidationFailedError } from '../../procedure/problem/problem.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Creates a key for an account. Its text is in this answer and nowhere else. */
export const createKey = () =>
  mutation({
    meta: {
      operation: 'keys.create',
      openapi: {
        summary: 'Create an API key',
        description:
          'Makes a key of an account. The answer is the only one that ever holds its text: keep it where secrets are kept. Two live keys at once let a client change over without a gap.',
        tags: ['Access'],
      },
      changes: ['access'],
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
    },
    input: CreateApiKey,
    output: CreatedApiKey,
    handler: async ({ ctx, input }) => {
      const created = await createApiKey(ctx.app.store, {
        caller: ctx.caller,
        accountId: input.account_id,
        scopes: input.scopes,
        name: input.name ?? null,
        expiresAt: typeof input.expires_at === 'string' ? new Date(input.expires_at) : input.expires_at,
        allowedCidrs: input.allowed_cidrs ?? null,
        verifyWithin: input.verify_within,
      });
      if (created.kind === 'faulty')
        throw new ValidationFailedError(created.faults.map((fault) => FAULTS[fault]));
      return created.key;
    },
  });

/** Faults that only the database can know. `datetime_future` is pydantic's own, of a `FutureDatetime`. */
const FAULTS = {
  account_not_found: {
    loc: ['body', 'account_id'],
    msg: 'There is no account with this id',
    type: 'account_not_found',
  },
  expired_at_birth: {
    loc: ['body', 'expires_at'],
    msg: 'Input should be in the future',
    type: 'datetime_future',
  },
  expires_after_year_9999: {
    loc: ['body', 'expires_at'],
    msg: 'Input should be a valid datetime, year 10000 is out of range',
    type: 'datetime_parsing',
  },
  scope_needs_platform: {
    loc: ['body', 'scopes'],
    msg: 'Keys of provider accounts may have the scopes requests and secrets only',
    type: 'value_error',
  },
} satisfies Record<ApiKeyFault, ValidationError>;
