import { AttemptOutcome, HeldReason } from '@insurance-verification/schema';
import { duration } from '../look/time.tsx';
import { usePayerName } from '../requests/use-payers.ts';
import { HELD } from '../words/held-words.ts';
import { SENDINGS } from '../words/request-words.ts';
import { BarList, PlotCard, timeContent } from './plot-card.tsx';
import { timesData, tookOf } from './request-plots.tsx';
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
              : waiting === 1
                ? `1 request waits, for ${duration(oldest)}.`
                : `${count(waiting)} requests wait, the oldest for ${duration(oldest)}.`,
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
            : `${count(openCount)} ${openCount === 1 ? 'is' : 'are'} open (${reasons.join(', ')}),${openCount === 1 ? '' : ' the oldest'} for ${duration(oldest)}.`,
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

/** How long a result took to its receiver. */
export function DeliveriesPlot({ shown }: { readonly shown: Shown }) {
  return (
    <PlotCard
      title={DELIVERIES_TITLE}
      unit="deliveries; within 4.5 %"
      query={useReport('delivery_times', shown)}
    >
      {(report) => {
        const took = tookOf(totalsOf(report)[0], 'arrived within');
        const sentence = took === null ? 'Nothing was received in this time.' : `Results: ${took}.`;
        return timeContent(DELIVERIES_TITLE, sentence, timesData(report, stepsOf(report)));
      }}
    </PlotCard>
  );
}

const ATTEMPTS_TITLE = 'Webhook attempts';

/** How the attempts to deliver results ended. */
export function AttemptsPlot({ shown }: { readonly shown: Shown }) {
  return (
    <PlotCard title={ATTEMPTS_TITLE} unit="attempts, by end" query={useReport('delivery_reasons', shown)}>
      {({ items }) => {
        const all = sumOf(items, 'count');
        const succeeded = sumOf(
          items.filter(({ reason }) => reason === 'succeeded'),
          'count',
        );
        const most = Math.max(0, ...items.map((item) => item.count ?? 0));
        return {
          sentence: attemptsOf(succeeded, all),
          table: {
            columns: ['End', 'Attempts'],
            rows: items.map((item) => [endOf(item), count(item.count ?? 0)]),
            csv: items.map((item) => [item.reason ?? null, item.count ?? 0]),
          },
          ...(all > 0 && {
            picture: (
              <BarList
                label={ATTEMPTS_TITLE}
                bars={items.map((item) => ({
                  key: item.reason ?? '',
                  name: endOf(item),
                  text: count(item.count ?? 0),
                  share: (item.count ?? 0) / most,
                }))}
              />
            ),
          }),
        };
      }}
    </PlotCard>
  );
}

function attemptsOf(succeeded: number, all: number): string {
  if (all === 0) return 'Nothing was sent in this time.';
  if (all === 1) return `The only attempt ${succeeded === 1 ? 'succeeded' : 'failed'}.`;
  return `${percent(succeeded / all)} of ${count(all)} attempts succeeded.`;
}

/** How an attempt ended, in words; one that the page does not know by its name. */
function endOf({ reason }: Row): string {
  const { data: known } = AttemptOutcome.safeParse(reason);
  return known === undefined ? (reason ?? '').replaceAll('_', ' ') : SENDINGS[known];
}
