import type { ValidationError } from '@insurance-verification/schema';
import {
  type ApiKeyFault,
  countExpiringKeys,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  type Store,
} from '@insurance-verification/store';
import { Gauge, type Registry } from 'prom-client';
import { readCursor } from '../procedure/cursor.ts';
import { ValidationFailedError } from '../procedure/problem.ts';
import type { Handlers } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';
import { patientMeasure } from '../telemetry/patient-measure.ts';

/** API keys. */
export const keys: Handlers<'keys'> = {
  create: async ({ ctx, input }) => {
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

  list: async ({ ctx, input: { limit, cursor, creator } }) => {
    const page = { limit, cursor: readCursor('key', cursor) };
    return listApiKeys(ctx.app.store, { caller: ctx.caller, onlyOfLeft: creator === 'left', ...page });
  },

  revoke: async ({ ctx, input: { key_id: keyId, successor: successorId } }) => {
    const revoked = await revokeApiKey(ctx.app.store, { caller: ctx.caller, keyId, successorId });
    if (revoked.kind === 'no_successor') throw new ValidationFailedError([NO_SUCCESSOR]);
    if (revoked.kind !== 'revoked') return refuse(revoked);
    ctx.app.authenticator.forget();
    return revoked.key;
  },
};

/** The fault of a `successor` that cannot take over. */
export const NO_SUCCESSOR: ValidationError = {
  loc: ['body', 'successor'],
  msg: 'Input should be the id of another live key or person of the same account',
  type: 'successor_not_found',
};

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

/** Enough days to create another key, hand it over, and see the old one fall out of use. */
const DAYS = 30;

/**
 * Sets the gauge of the keys that expire soon; without the database it has no value, like the database's other gauges.
 */
export function createKeyGauge(store: Store, registry: Registry): () => Promise<void> {
  const expiring = new Gauge({
    name: 'ivs_keys_expiring',
    help: `API keys in force that stop working within ${DAYS} days; of accounts that are not suspended.`,
    registers: [registry],
  });
  const measure = patientMeasure(() => countExpiringKeys(store, DAYS));
  return async () => {
    const count = await measure();
    if (count === null) expiring.remove();
    else expiring.set(count);
  };
}
