const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** Bytes for a person: `8 kB`, `1.5 GB`. */
export function sizeOf(byteCount: number): string {
  let size = byteCount / 1024;
  let place = 0;
  for (; size >= 1000 && place < UNITS.length - 1; place += 1) size /= 1024;
  return `${size < 10 ? Math.round(size * 10) / 10 : Math.round(size)} ${UNITS[place]}`;
}
