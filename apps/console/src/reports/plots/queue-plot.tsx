import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { duration } from '../../look/time/time.tsx';
import { usePayers } from '../../requests/use-payers.ts';
import { BarList } from '../bar-list.tsx';
import { channelName } from '../channel-name.ts';
import { PlotCard } from '../plot-card.tsx';
import { count } from '../plot-data.ts';

const TITLE = 'Waiting now';

/** What waits in each channel of each payer, and for how long. */
export function QueuePlot({ account }: { readonly account: string | undefined }) {
  const query = useQuery({
    queryKey: ['reports', 'queue', account],
    queryFn: ({ signal }) =>
      api.reports.queue.query(account === undefined ? {} : { account_id: account }, { signal }),
    refetchInterval: 15_000,
  });
  const payers = usePayers().data?.items;
  const payerName = (id: string) => payers?.find(({ payer_id: one }) => one === id)?.name ?? id;
  return (
    <PlotCard title={TITLE} unit="requests, and the oldest of them" query={query}>
      {({ items }) => {
        const places = items
          .filter((item) => item.waiting_count > 0)
          .toSorted((one, other) => other.waiting_count - one.waiting_count);
        const waiting = places.reduce((sum, place) => sum + place.waiting_count, 0);
        const oldest = Math.max(0, ...places.map((place) => place.oldest_seconds ?? 0));
        const name = (channel: string | null) => (channel === null ? 'not taken yet' : channelName(channel));
        const age = (seconds: number | null) => (seconds === null ? '–' : duration(seconds));
        return {
          sentence:
            waiting === 0
              ? 'Nothing waits.'
              : `${count(waiting)} ${waiting === 1 ? 'request waits' : 'requests wait'}, the oldest for ${duration(oldest)}.`,
          table: {
            columns: ['Payer', 'Channel', 'Waiting', 'Under way', 'Oldest'],
            rows: items.map((item) => [
              payerName(item.payer_id),
              name(item.channel),
              count(item.waiting_count),
              count(item.leased_count),
              age(item.oldest_seconds),
            ]),
            csv: items.map((item) => [
              item.payer_id,
              item.channel,
              item.waiting_count,
              item.leased_count,
              item.oldest_seconds,
            ]),
          },
          ...(waiting > 0 && {
            picture: (
              <BarList
                label={TITLE}
                bars={places.map((place) => ({
                  key: `${place.payer_id} ${place.channel}`,
                  name: payerName(place.payer_id),
                  note: name(place.channel),
                  text: `${count(place.waiting_count)}, oldest ${age(place.oldest_seconds)}`,
                  share: place.waiting_count / (places[0]?.waiting_count ?? 1),
                }))}
              />
            ),
          }),
        };
      }}
    </PlotCard>
  );
}
