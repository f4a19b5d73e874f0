/** A duration for a person to read: `45 s`, `12 min`, `3 h 10 min`, `2 d 4 h`. */
export function durationText(seconds: number): string {
  const whole = Math.max(Math.round(seconds), 0);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h${rest(minutes % 60, 'min')}`;
  return `${Math.floor(hours / 24)} d${rest(hours % 24, 'h')}`;
}

/** The time since an instant. */
export function sinceText(instant: string): string {
  return durationText((Date.now() - Date.parse(instant)) / 1_000);
}

function rest(count: number, unit: string): string {
  return count === 0 ? '' : ` ${count} ${unit}`;
}
