import { createHash } from 'node:crypto';

const SCRIPT = `
for (const time of document.querySelectorAll('time'))
  time.textContent = new Date(time.dateTime).toLocaleString('en-US',
    { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' });
`;

/** The script of a page whose times its reader sees in their own zone. */
export const LOCAL_TIMES = `<script>${SCRIPT}</script>`;

/** The source that the policy of such a page allows: this script, by its digest. */
export const LOCAL_TIMES_POLICY = `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`;

const utc = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
});

/** An instant as HTML: in UTC, until {@link LOCAL_TIMES} puts it into the reader's zone. */
export const timeTag = (at: string): string => `<time datetime="${at}">${utc.format(new Date(at))}</time>`;
