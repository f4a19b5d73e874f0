import type { VerificationSource } from '@insurance-verification/schema';
import {
  type ChannelHour,
  checkWritable,
  isDatabaseUnavailable,
  readChannelHours,
  readOutages,
  type Store,
} from '@insurance-verification/store';
import Router from '@koa/router';
import type { ConfiguredPayer } from '../../config/payers.ts';
import type { CallState } from '../../procedure/context/app.ts';
import { shareAnswer } from '../rest.ts';
import { escapeText, htmlPage, PAGE_POLICY } from './html-page.ts';
import { LOCAL_TIMES, LOCAL_TIMES_POLICY, timeTag } from './local-times.ts';

/**
 * How a channel to a payer is doing: `down` while the payer's API does not answer; `planned` downtime from the payers file; `failing` when at least three attempts of
 * the last hour, and half of them, failed for a reason of the payer's or ours; `unknown` without an attempt.
 */
type ChannelState = 'working' | 'failing' | 'down' | 'planned' | 'unknown';

interface ServiceStatus {
  readonly at: string;
  readonly components: Readonly<Record<'api' | 'database', 'up' | 'down'>>;
  readonly payers: readonly {
    readonly payer_id: string;
    readonly name: string;
    readonly channels: readonly {
      readonly channel: VerificationSource;
      readonly state: ChannelState;
      readonly attempt_count: number;
      readonly failed_count: number;
      /** The end of the planned downtime; null outside of one. */
      readonly until: string | null;
      /** Since when the payer's API has not answered; null while it does. */
      readonly down_since: string | null;
    }[];
  }[];
}

/** Milliseconds for which one answer serves everybody: there is no key. */
const REUSE_MS = 10_000;

/** `/status`: what works, for people without a key, as a page or as JSON. */
export function createStatusRouter(store: Store, payers: readonly ConfiguredPayer[]): Router<CallState> {
  const router = new Router<CallState>({ strict: true, sensitive: true });
  const read = shareAnswer(REUSE_MS, () => readStatus(store, payers));
  router.get('/status', async (koa) => {
    koa.state.operation = 'status';
    const status = await read();
    koa.vary('accept');
    koa.set('cache-control', 'public, max-age=10');
    if (koa.accepts('json', 'html') !== 'html') {
      koa.body = status;
      return;
    }
    koa.set('content-security-policy', `${PAGE_POLICY}; ${LOCAL_TIMES_POLICY}`);
    koa.type = 'text/html; charset=utf-8';
    koa.body = statusPage(status);
  });
  return router;
}

async function readStatus(store: Store, payers: readonly ConfiguredPayer[]): Promise<ServiceStatus> {
  const now = new Date();
  const read = await checkWritable(store)
    .then(() => Promise.all([readChannelHours(store), readOutages(store)]))
    .catch((err: unknown) => {
      if (isDatabaseUnavailable(err)) return null; // the page says that the database is down
      throw err;
    });
  const [hours = null, outages = []] = read ?? [];
  return {
    at: now.toISOString(),
    components: { api: 'up', database: hours === null ? 'down' : 'up' },
    payers: payers.map((payer) => ({
      payer_id: payer.id,
      name: payer.name,
      channels: payer.route.channels.map(({ source: channel }) => {
        const hour = hours?.find((one) => one.payerId === payer.id && one.channel === channel);
        const until = plannedUntil(payer, channel, now);
        const { reachedCount = 0, failedCount = 0 } = hour ?? {};
        const outage = channel === 'api' && outages.find(({ payerId }) => payerId === payer.id);
        return {
          channel,
          state: until !== null ? ('planned' as const) : outage ? ('down' as const) : stateOf(hour),
          down_since: outage ? outage.since.toISOString() : null,
          attempt_count: reachedCount + failedCount,
          failed_count: failedCount,
          until,
        };
      }),
    })),
  };
}

export function stateOf(hour: Pick<ChannelHour, 'reachedCount' | 'failedCount'> | undefined): ChannelState {
  if (!hour) return 'unknown';
  const { reachedCount, failedCount } = hour;
  return failedCount >= 3 && failedCount >= reachedCount ? 'failing' : 'working';
}

/** When the planned downtime of a channel ends; null outside of one. */
export function plannedUntil(
  { plannedDowntime }: Pick<ConfiguredPayer, 'plannedDowntime'>,
  channel: VerificationSource,
  now: Date,
): string | null {
  const found = plannedDowntime.find(
    ({ from, until, channels }) =>
      Date.parse(from) <= now.getTime() &&
      now.getTime() < Date.parse(until) &&
      (channels?.includes(channel) ?? true),
  );
  return found?.until ?? null;
}

const CHANNELS: Readonly<Record<VerificationSource, string>> = {
  api: 'X12',
  agent_web_portal: 'portal, by an agent',
  agent_phone_call: 'phone, by an agent',
  manual_web_portal: 'portal, by a person',
  manual_phone_call: 'phone, by a person',
};

function statusPage({ at, components, payers }: ServiceStatus): string {
  const words = {
    working: 'working',
    failing: 'failing',
    down: 'not answering',
    planned: 'planned downtime',
    unknown: 'no attempt within the last hour',
  };
  const body = [
    '<h1>Status</h1>',
    `<p>At ${timeTag(at)}, of the last hour. The service: ${components.api}. Its database: ${components.database}.</p>`,
    ...payers.flatMap(({ name, channels }) => [
      `<h2>${escapeText(name)}</h2>`,
      '<dl>',
      ...channels.map(
        ({ channel, state, attempt_count: attempts, failed_count: failed, until, down_since: since }) =>
          `<dt>${CHANNELS[channel]}</dt><dd>${words[state]}${until === null ? '' : ` until ${timeTag(until)}`}${since === null ? '' : ` since ${timeTag(since)}`}${attempts === 0 ? '' : `: ${attempts} attempts, ${failed} failed`}</dd>`,
      ),
      '</dl>',
    ]),
    '<p>A program gets the same as JSON. <a href="/docs">Guides</a></p>',
    LOCAL_TIMES,
  ];
  return htmlPage({ title: 'Status', body: body.join('\n') });
}
