import { useZone } from '../../look/time/zone.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone,
    timeZoneName: 'short',
  });
  formats.set(timeZone, format);
  return format;
}

/** A time with its year and its zone, as paper needs it: nobody can ask paper which were meant. */
export function Stamp({ at }: { readonly at: string }) {
  const { zone } = useZone();
  return <time dateTime={at}>{formatOf(zone).format(new Date(at))}</time>;
}
