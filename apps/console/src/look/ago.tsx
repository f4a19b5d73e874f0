import { exactTime } from './clock.ts';
import { duration, useZone } from './time.tsx';
import { useByClock } from './use-now.ts';

/** How long ago something was, by the service's clock: `2 h ago`, and the exact time on pointing. */
export function Ago({ at }: { readonly at: string }) {
  const { zone } = useZone();
  const ago = useByClock((now) => {
    const seconds = (now - Date.parse(at)) / 1_000;
    return seconds < 60 ? 'just now' : `${duration(seconds)} ago`;
  });
  return (
    <time dateTime={at} title={exactTime(at, zone)}>
      {ago}
    </time>
  );
}
