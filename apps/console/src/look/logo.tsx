/** The shield of the favicon, drawn in the page: as an image it would be one more request, which some browsers fail. */
export function Logo() {
  return (
    <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true">
      <path fill="var(--accent)" d="M16 2 4 6.5V15c0 7.5 5 12.6 12 15 7-2.4 12-7.5 12-15V6.5z" />
      <path
        fill="none"
        stroke="var(--on-accent)"
        strokeWidth="3.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="m10 16 4.5 4.5L22.5 12"
      />
    </svg>
  );
}
