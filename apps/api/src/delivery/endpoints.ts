import {
  countEndpointFailures,
  createEndpoint,
  endEndpoint,
  ENDPOINT_COUNT_MAX,
  getEndpoint,
  isIssuedId,
  listEndpoints,
  listEvents,
  recoverEndpoint,
  rotateEndpoint,
  type Store,
  testEndpoint,
  updateEndpoint,
} from '@insurance-verification/store';
import { createWebhookSecret } from '@insurance-verification/webhook';
import { Gauge, type Registry } from 'prom-client';
import { faultOfCallback } from '../intake/create-request.ts';
import { ValidationFailedError } from '../procedure/problem.ts';
import type { Handlers } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';
import { patientMeasure } from '../telemetry/patient-measure.ts';

/** What happened, for those who lost some events. */
export const events: Handlers<'events'> = {
  list: async ({ ctx, input: { account_id: accountId, ...input } }) => {
    if (input.after !== undefined && !isIssuedId('evt', input.after)) throw notAnEvent();
    return listEvents(ctx.app.store, { ...input, accountId, caller: ctx.caller });
  },
};

const notAnEvent = () =>
  new ValidationFailedError([
    { loc: ['query', 'after'], msg: 'Value should be the id of an event, evt_…', type: 'value_error' },
  ]);

/** The addresses that events are posted to. */
export const endpoints: Handlers<'endpoints'> = {
  create: async ({ ctx, input: { url, types } }) => {
    const fault = faultOfCallback(ctx, url, 'url');
    if (fault) throw fault;
    const endpoint = { caller: ctx.caller, url, types, secret: createWebhookSecret() };
    const created = await createEndpoint(ctx.app.store, endpoint);
    if (created.kind === 'created') return created.endpoint;
    throw new ValidationFailedError([
      {
        loc: ['body'],
        msg: `An account has ${ENDPOINT_COUNT_MAX} endpoints at most: end one first`,
        type: 'too_many_endpoints',
      },
    ]);
  },

  list: async ({ ctx }) => ({ items: await listEndpoints(ctx.app.store, { caller: ctx.caller }) }),

  get: async ({ ctx, input: { endpoint_id: endpointId } }) => {
    const found = await getEndpoint(ctx.app.store, { caller: ctx.caller, endpointId });
    return found.kind === 'found' ? found.endpoint : refuse(found);
  },

  update: async ({ ctx, input: { endpoint_id: endpointId, types, enabled: isEnabled } }) => {
    const change = { caller: ctx.caller, endpointId, types, isEnabled };
    const updated = await updateEndpoint(ctx.app.store, change);
    return updated.kind === 'found' ? updated.endpoint : refuse(updated);
  },

  recover: async ({ ctx, input: { endpoint_id: endpointId, since, dry_run: isDryRun } }) => {
    const recovery = await recoverEndpoint(ctx.app.store, {
      caller: ctx.caller,
      endpointId,
      since: since === undefined ? null : new Date(since),
      isDryRun,
    });
    return recovery.kind === 'recovered' ? recovery.recovered : refuse(recovery);
  },

  end: async ({ ctx, input: { endpoint_id: endpointId } }) => {
    const ended = await endEndpoint(ctx.app.store, { caller: ctx.caller, endpointId });
    return ended.kind === 'found' ? ended.endpoint : refuse(ended);
  },

  rotate: async ({ ctx, input: { endpoint_id: endpointId } }) => {
    const rotation = { caller: ctx.caller, endpointId, next: createWebhookSecret() };
    const rotated = await rotateEndpoint(ctx.app.store, rotation);
    return rotated.kind === 'rotated' ? rotated.secret : refuse(rotated);
  },

  test: async ({ ctx, input: { endpoint_id: endpointId } }) => {
    const tested = await testEndpoint(ctx.app.store, { caller: ctx.caller, endpointId });
    return tested.kind === 'posted' ? { event_id: tested.eventId } : refuse(tested);
  },
};

/**
 * Sets the gauges of endpoints that take no events; without the database they have no value, like the database's other
 * gauges.
 */
export function createEndpointGauges(store: Store, registry: Registry): () => Promise<void> {
  const failing = new Gauge({
    name: 'ivs_endpoints_failing',
    help: 'Endpoints that have taken no event for two hours or more, and are not disabled yet.',
    registers: [registry],
  });
  const disabled = new Gauge({
    name: 'ivs_endpoints_disabled',
    help: 'Endpoints that the service disabled, by why: failing, for five days; gone, after a 410. Until they are enabled or ended.',
    labelNames: ['reason'],
    registers: [registry],
  });
  const measure = patientMeasure(() => countEndpointFailures(store));
  return async () => {
    const counts = await measure();
    if (!counts) {
      failing.remove();
      disabled.reset();
      return;
    }
    failing.set(counts.failingCount);
    for (const [reason, count] of Object.entries(counts.disabledCounts)) disabled.set({ reason }, count);
  };
}
