import { HeldReason } from '@insurance-verification/schema';
import { duration } from '../look/time.tsx';
import { usePayerName } from '../requests/use-payers.ts';
import { HELD } from '../words/held-words.ts';
import { BarList, PlotCard, timeContent } from './plot-card.tsx';
import { timesData } from './request-plots.tsx';
import {
  channelName,
  count,
  headOf,
  lineOf,
  percent,
  perStep,
  type Row,
  type Shown,
  SPANS,
  stepsOf,
  sumOf,
  time,
  totalsOf,
  useReport,
} from './use-report.ts';

const QUEUE_TITLE = 'Waiting now';

const waitingIn = (place: Row): number => place.waiting_count ?? 0;

const channelOf = ({ channel }: Row): string => (channel ? channelName(channel) : 'not taken yet');

const ageOf = ({ oldest_seconds: seconds }: Row): string =>
  seconds === undefined || seconds === null ? '–' : duration(seconds);

/** What waits in each channel of each payer, and for how long. */
export function QueuePlot({ shown }: { readonly shown: Shown }) {
  const payerName = usePayerName();
  return (
    <PlotCard title={QUEUE_TITLE} unit="requests, and the oldest of them" query={useReport('queue', shown)}>
      {({ items }) => {
        const places = items
          .filter((item) => waitingIn(item) > 0)
          .toSorted((one, other) => waitingIn(other) - waitingIn(one));
        const [most] = places;
        const waiting = sumOf(places, 'waiting_count');
        const oldest = Math.max(0, ...places.map((place) => place.oldest_seconds ?? 0));
        return {
          sentence:
            waiting === 0
              ? 'Nothing waits.'
              : `${count(waiting)} ${waiting === 1 ? 'request waits' : 'requests wait'}, the oldest for ${duration(oldest)}.`,
          table: {
            columns: ['Payer', 'Channel', 'Waiting', 'Under way', 'Oldest'],
            rows: items.map((item) => [
              payerName(item.payer_id),
              channelOf(item),
              count(waitingIn(item)),
              count(item.leased_count ?? 0),
              ageOf(item),
            ]),
            csv: items.map((item) => [
              item.payer_id ?? null,
              item.channel ?? null,
              waitingIn(item),
              item.leased_count ?? 0,
              item.oldest_seconds ?? null,
            ]),
          },
          ...(most && {
            picture: (
              <BarList
                label={QUEUE_TITLE}
                bars={places.map((place) => ({
                  key: `${place.payer_id} ${place.channel}`,
                  name: payerName(place.payer_id),
                  note: channelOf(place),
                  text: `${count(waitingIn(place))}, oldest ${ageOf(place)}`,
                  share: waitingIn(place) / waitingIn(most),
                }))}
              />
            ),
          }),
        };
      }}
    </PlotCard>
  );
}

const HELD_TITLE = 'Held outputs';

const LINES = [
  ['Held', 'held_count'],
  ['Applied', 'applied_count'],
  ['Dismissed', 'dismissed_count'],
] as const;

/** What was held and settled, what is open, and for how long. */
export function HeldPlot({ shown }: { readonly shown: Shown }) {
  return (
    <PlotCard
      title={HELD_TITLE}
      unit={perStep('outputs', SPANS[shown.span].step)}
      query={useReport('held', shown)}
    >
      {(report) => {
        const [open, steps, head] = [totalsOf(report), stepsOf(report), headOf(report)];
        const openCount = sumOf(open, 'open_count');
        const oldest = Math.max(0, ...open.map((row) => row.oldest_seconds ?? 0));
        const reasons = open.map(
          (row) => `${HELD[HeldReason.parse(row.reason)].word.toLowerCase()} ${count(row.open_count ?? 0)}`,
        );
        return timeContent(
          HELD_TITLE,
          openCount === 0
            ? 'Nothing is held now.'
            : `${count(openCount)} ${openCount === 1 ? 'is' : 'are'} open (${reasons.join(', ')}), the oldest for ${duration(oldest)}.`,
          {
            ...head,
            isWhole: true,
            lines: LINES.map(([name, figure]) => lineOf(name, head.times, steps, (row) => row[figure])),
            format: count,
          },
        );
      }}
    </PlotCard>
  );
}

const DELIVERIES_TITLE = 'From accepted to received';

/** How long a result took to its receiver, and how webhook attempts ended. */
export function DeliveriesPlot({ shown }: { readonly shown: Shown }) {
  const times = useReport('delivery_times', shown);
  const reasons = useReport('delivery_reasons', shown);
  return (
    <PlotCard
      title={DELIVERIES_TITLE}
      unit="deliveries; within 4.5 %"
      query={reasons.data === undefined ? reasons : times}
    >
      {(report) => {
        const [total] = totalsOf(report);
        const ends = reasons.data?.items ?? [];
        const attempts = sumOf(ends, 'count');
        const failed = ends.filter(({ reason }) => reason !== 'succeeded');
        const succeeded = attempts - sumOf(failed, 'count');
        const others = failed
          .map(({ reason, count: n }) => `${reason?.replaceAll('_', ' ')} ${count(n ?? 0)}`)
          .join(', ');
        const took =
          typeof total?.p50_ms === 'number' && typeof total.p90_ms === 'number'
            ? ` Half were received within ${time(total.p50_ms)}, nine of ten within ${time(total.p90_ms)}.`
            : '';
        const sentence =
          attempts === 0
            ? 'Nothing was sent in this time.'
            : `${percent(succeeded / attempts)} of ${count(attempts)} ${attempts === 1 ? 'attempt' : 'attempts'} succeeded${others && ` (${others})`}.${took}`;
        return timeContent(DELIVERIES_TITLE, sentence, timesData(report, stepsOf(report)));
      }}
    </PlotCard>
  );
}
