const two = (value: number) => String(value).padStart(2, '0');

/** An instant as a field for a day and a time shows it, in the viewer's zone or in UTC. */
export function toTyped(instant: string, isUtc: boolean): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return '';
  if (isUtc) return date.toISOString().slice(0, 16);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The instant that is meant by what such a field holds; empty for none. */
export function fromTyped(typed: string, isUtc: boolean): string {
  const date = new Date(isUtc && typed !== '' ? `${typed}Z` : typed);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
