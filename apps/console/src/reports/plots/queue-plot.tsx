import { duration } from '../../look/time/time.tsx';
import { usePayerName } from '../../requests/use-payers.ts';
import { BarList } from '../bar-list.tsx';
import { channelName } from '../channel-name.ts';
import { PlotCard } from '../plot-card.tsx';
import { count } from '../plot-data.ts';
import { type Row, type Shown, sumOf, useReport } from '../use-report.ts';

const TITLE = 'Waiting now';

const waitingIn = (place: Row): number => place.waiting_count ?? 0;

const channelOf = ({ channel }: Row): string => (channel ? channelName(channel) : 'not taken yet');

const ageOf = ({ oldest_seconds: seconds }: Row): string =>
  seconds === undefined || seconds === null ? '–' : duration(seconds);

/** What waits in each channel of each payer, and for how long. */
export function QueuePlot({ shown }: { readonly shown: Shown }) {
  const payerName = usePayerName();
  return (
    <PlotCard title={TITLE} unit="requests, and the oldest of them" query={useReport('queue', shown)}>
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
                label={TITLE}
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
