import { type CountWork, VerificationSource } from '@insurance-verification/schema';
import {
  countClaimable,
  listOwnDone,
  measureOwnDay,
  measureWork,
  type Store,
} from '@insurance-verification/store';
import { Gauge, type Registry } from 'prom-client';
import type { Payers } from '../config/payers.ts';
import type { Handlers } from '../procedure/procedure.ts';
import { patientMeasure } from '../telemetry/patient-measure.ts';

/** The state of the queue, and the caller's work of today. */
export const workStats: Pick<Handlers<'work'>, 'stats' | 'day' | 'done'> = {
  stats: async ({ ctx: { app, caller }, input: { verifier } }) => {
    const { payers } = app.config;
    const { routes } = payers;
    const [measures, claimable] = await Promise.all([
      measureWork(app.store, { routes, mode: caller.mode }),
      countClaimable(app.store, { caller, routes, channels: channelsOf(verifier) }),
    ]);
    return {
      items: measures.map(({ payer_id, ...stats }) => {
        const found = claimable.find((one) => one.payerId === payer_id && one.channel === stats.channel);
        const payer = payers.byId(payer_id);
        const isByPhone = stats.channel.endsWith('_phone_call');
        return {
          payer: payer?.name ?? '',
          ...stats,
          claimable_count: found?.count ?? 0,
          oldest_claimable_seconds: found?.oldestSeconds ?? null,
          late_count: found?.lateCount ?? 0,
          next_needed_at: found?.nextNeededAt?.toISOString() ?? null,
          opens_at: (isByPhone && payer?.route.phoneHours?.opensAt(new Date())?.toISOString()) || null,
          time_zone: payer?.timeZone ?? null,
        };
      }),
    };
  },

  day: ({ ctx: { app, caller }, input: { since } }) =>
    measureOwnDay(app.store, { caller, since: since === undefined ? undefined : new Date(since) }),

  done: async ({ ctx: { app, caller }, input: { since } }) => ({
    items: await listOwnDone(app.store, {
      caller,
      since: since === undefined ? undefined : new Date(since),
    }),
  }),
};

/** The channels that a verifier works. */
function channelsOf(verifier: CountWork['verifier']): readonly VerificationSource[] {
  switch (verifier) {
    case undefined:
      return VerificationSource.options;
    case 'person':
      return ['manual_web_portal', 'manual_phone_call'];
    case 'agent':
      return ['agent_web_portal', 'agent_phone_call'];
    default:
      return [verifier];
  }
}

/** Sets the gauges of the work queue, at most once in ten seconds. */
type WorkGauges = () => Promise<void>;

const FRESH_MS = 10_000;

export function createWorkGauges(store: Store, { routes }: Payers, registry: Registry): WorkGauges {
  const gauge = (name: string, help: string, labels: readonly string[] = []) =>
    new Gauge({ name, help, labelNames: ['payer', 'channel', ...labels], registers: [registry] });
  const waiting = gauge('ivs_work_waiting', 'Requests that wait in a channel.');
  const leased = gauge('ivs_work_leased', 'Requests that are worked on.');
  const overdue = gauge('ivs_work_overdue', 'Requests in a channel for longer than their route allows.');
  const oldest = gauge('ivs_work_oldest_seconds', 'How long the longest waiting request has been due.');
  // Two gauges: the label `quantile` belongs to a summary, which Prometheus expects to have a count and a sum.
  const toResultP50 = gauge(
    'ivs_work_time_to_result_p50_seconds',
    'From request to result, median, last 24 hours.',
  );
  const toResultP90 = gauge(
    'ivs_work_time_to_result_p90_seconds',
    'From request to result, nine of ten, last 24 hours.',
  );
  const failures = gauge('ivs_work_failures', 'Attempts that failed, last 24 hours.', ['error_reason']);
  const share = gauge('ivs_work_within_20_seconds_share', 'Attempts that ended within 20 s, last 24 hours.');
  const all = [waiting, leased, overdue, oldest, toResultP50, toResultP90, failures, share];
  const measureChannels = patientMeasure(() => measureWork(store, { routes, mode: 'live' }));
  let measuredAt = -Infinity;

  return async () => {
    if (performance.now() - measuredAt < FRESH_MS) return;
    measuredAt = performance.now();
    const measures = await measureChannels();
    if (!measures) measuredAt = -Infinity;
    // Reset and set in one turn: a scrape in between would read that nothing waits.
    for (const one of all) one.reset();
    for (const measure of measures ?? []) {
      const labels = { payer: measure.payer_id, channel: measure.channel };
      waiting.set(labels, measure.waiting_count);
      leased.set(labels, measure.leased_count);
      overdue.set(labels, measure.overdue_count);
      oldest.set(labels, measure.oldest_seconds ?? 0);
      if (measure.seconds_to_result_p50 !== null) toResultP50.set(labels, measure.seconds_to_result_p50);
      if (measure.seconds_to_result_p90 !== null) toResultP90.set(labels, measure.seconds_to_result_p90);
      if (measure.within_20_seconds_share !== null) share.set(labels, measure.within_20_seconds_share);
      for (const { error_reason, count } of measure.failures)
        failures.set({ ...labels, error_reason }, count);
    }
  };
}
