const PATHS = {
  good: 'M3.5 8.5l3 3 6-7',
  bad: 'M4.5 4.5l7 7m0-7l-7 7',
  warn: 'M8 4v5m0 2.4v.1',
  wait: 'M8 4.5V8l2.5 1.5',
  none: 'M5 8h6',
} as const;

export type IconName = keyof typeof PATHS;

/** Always beside a word. */
export function Icon({ name }: { readonly name: IconName }) {
  const rounded = name !== 'good' && name !== 'bad';
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      aria-hidden="true"
    >
      {rounded && <circle cx="8" cy="8" r="6.2" strokeWidth="1.3" />}
      <path d={PATHS[name]} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
