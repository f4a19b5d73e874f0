import type { StaffRole } from '@insurance-verification/schema';
import type { Page } from 'playwright-core';
import type { Made } from './made.ts';

/** One page of the console, and what each of its states shows. A cell that a page cannot have is null, with the reason. */
export interface Row {
  /** As pages.tsx names it. */
  readonly route: string;
  /** Who opens it. */
  readonly role: StaffRole;
  readonly at: (made: Made) => string;
  readonly heading: (made: Made) => string;
  /** The tab's title, where it is not the heading. */
  readonly title?: string;
  /** The heading and title until it is read, and where there is nothing, of a page that is named by what is read. */
  readonly unread?: string;
  /** With nothing to show, before anything was made: where, and what would fill it. */
  readonly empty: { readonly at?: string; readonly shows: string; readonly answers?: string } | null;
  /** What is there once it is read. */
  readonly data: (made: Made) => string | RegExp;
  /** Whether anything is read besides who one is. */
  readonly reads: boolean;
  /** Who is told that another role is needed, and which. */
  readonly closed: { readonly to: StaffRole; readonly needs: string } | null;
  /** What else it takes to be there. */
  readonly opens?: (page: Page) => Promise<void>;
  /** What says that it is read, where that is no skeleton. */
  readonly waits?: string;
  /** A field, and what is typed into it before the session ends. */
  readonly draft: readonly [label: string, text: string] | null;
  /** Its page of the help. */
  readonly help: string;
}

const same = (text: string) => () => text;
const UNKNOWN = '01jdabcdefghjkmnpqrstvwxyz';

/** Every page. A route of pages.tsx without a row fails a test, so that none is forgotten. */
export const ROWS: readonly Row[] = [
  {
    route: '/start',
    role: 'requester',
    at: same('/start'),
    heading: same('Start'),
    empty: null, // it is what one sees where nothing is
    data: same('See it happen, then make it yours.'),
    reads: false,
    closed: null, // everyone may begin
    draft: null,
    help: 'start',
  },
  {
    route: '/work',
    role: 'verifier',
    at: same('/work'),
    heading: same('Work'),
    empty: { shows: 'Nothing waits' },
    data: same('Bluefield Dental PPO'),
    reads: true,
    closed: { to: 'auditor', needs: 'the role verifier' },
    draft: null,
    help: 'work',
  },
  {
    route: '/work/:requestId',
    role: 'verifier',
    at: ({ waitingId }) => `/work/${waitingId}`,
    heading: same('Bluefield Dental PPO'),
    title: 'Work',
    empty: { at: `/work/req_${UNKNOWN}`, shows: 'You do not hold this request' },
    data: same('W123456789'),
    reads: true,
    opens: (page) => page.getByRole('button', { name: 'Take it' }).click(),
    waits: 'Taking the request …',
    closed: { to: 'auditor', needs: 'the role verifier' },
    draft: ['Plan name', 'typed before the end'],
    help: 'workbench',
  },
  {
    route: '/requests',
    role: 'requester',
    at: same('/requests'),
    heading: same('Requests'),
    empty: { shows: 'No requests yet' },
    data: ({ requestId }) => requestId,
    reads: true,
    closed: { to: 'auditor', needs: 'the role requester, viewer, or operator' },
    draft: ['Find by member id, request id or Idempotency-Key', 'W-typed'],
    help: 'requests',
  },
  {
    route: '/requests/new',
    role: 'requester',
    at: same('/requests/new'),
    heading: same('New request'),
    empty: null, // a form is filled by whoever opens it
    data: same('Full name'),
    reads: true,
    closed: { to: 'auditor', needs: 'the role requester' },
    draft: ['Full name (optional)', 'Jane Typed'],
    help: 'new-request',
  },
  {
    route: '/requests/:requestId',
    role: 'requester',
    at: ({ requestId }) => `/requests/${requestId}`,
    heading: same('J. D. at Bluefield Dental PPO'),
    title: 'Request to Bluefield Dental PPO',
    unread: 'Request',
    empty: { at: `/requests/req_${UNKNOWN}`, shows: 'There is no such request' },
    data: same('Result accepted'),
    reads: true,
    closed: { to: 'auditor', needs: 'the role requester, viewer' },
    draft: null,
    help: 'request',
  },
  {
    route: '/requests/:requestId/proof',
    role: 'requester',
    at: ({ requestId }) => `/requests/${requestId}/proof`,
    heading: same('Proof of verification'),
    empty: { at: `/requests/req_${UNKNOWN}/proof`, shows: 'There is no such request' },
    data: same('not taken: given up'),
    reads: true,
    closed: { to: 'auditor', needs: 'the role requester, viewer' },
    draft: null,
    help: 'proof',
  },
  {
    route: '/deliveries',
    role: 'requester',
    at: same('/deliveries'),
    heading: same('Deliveries'),
    empty: { shows: 'No deliveries yet' },
    data: ({ host }) => host,
    reads: true,
    closed: { to: 'auditor', needs: 'the role requester, viewer, or operator' },
    draft: ['Host', 'receiver.example'],
    help: 'deliveries',
  },
  {
    route: '/deliveries/:deliveryId',
    role: 'requester',
    at: ({ deliveryId }) => `/deliveries/${deliveryId}`,
    heading: ({ host }) => `Given up: Bluefield Dental PPO to ${host}`,
    unread: 'Delivery',
    empty: { at: `/deliveries/msg_${UNKNOWN}`, shows: 'There is no such delivery' },
    data: same('No answer came.'),
    reads: true,
    closed: { to: 'auditor', needs: 'the role requester, viewer, or operator' },
    draft: null,
    help: 'delivery',
  },
  {
    route: '/receivers',
    role: 'operator',
    at: same('/receivers'),
    heading: same('Receivers'),
    empty: { shows: 'No receivers in the last day' },
    data: ({ host }) => host,
    reads: true,
    closed: { to: 'auditor', needs: 'the role operator' },
    draft: null,
    help: 'receivers',
  },
  {
    route: '/receivers/:host',
    role: 'operator',
    at: ({ host }) => `/receivers/${host}`,
    heading: ({ host }) => host,
    empty: { at: '/receivers/receiver.example', shows: 'Nothing was sent to it in the last day' },
    data: same('attempts taken'),
    reads: true,
    closed: { to: 'auditor', needs: 'the role operator' },
    draft: null,
    help: 'receiver',
  },
  {
    route: '/held',
    role: 'operator',
    at: same('/held'),
    heading: same('Held outputs'),
    empty: { shows: 'Nothing is held' },
    data: same('member id'),
    reads: true,
    closed: { to: 'auditor', needs: 'the role operator' },
    draft: null,
    help: 'held',
  },
  {
    route: '/held/:heldId',
    role: 'operator',
    at: ({ heldId }) => `/held/${heldId}`,
    heading: same('Another patient? J. D. at Bluefield Dental PPO'),
    title: 'Held output at Bluefield Dental PPO',
    unread: 'Held output',
    empty: { at: `/held/held_${UNKNOWN}`, shows: 'There is no such held output' },
    data: same('⇄ two digits swapped: characters 9 and 10'),
    reads: true,
    closed: { to: 'auditor', needs: 'the role operator' },
    draft: ['Is it about another request?', 'req_typed'],
    help: 'held-output',
  },
  {
    route: '/reports',
    role: 'operator',
    at: same('/reports'),
    heading: same('Reports'),
    empty: { shows: 'No request came in or ended in this time.' },
    data: () => /requests came in; \d of the/,
    reads: true,
    closed: { to: 'auditor', needs: 'the role requester, viewer, or operator' },
    draft: ['Account', 'acct_typed'],
    help: 'reports',
  },
  {
    route: '/accounts',
    role: 'admin',
    at: same('/accounts'),
    heading: same('Accounts'),
    empty: { shows: 'No accounts yet', answers: 'accounts.list' },
    data: same('Main Street Dental'),
    reads: true,
    closed: { to: 'auditor', needs: 'the role admin' },
    draft: null,
    help: 'accounts',
  },
  {
    route: '/keys',
    role: 'admin',
    at: same('/keys'),
    heading: same('Keys'),
    empty: { shows: 'No keys yet', answers: 'keys.list' },
    data: same('Intake'),
    reads: true,
    closed: { to: 'auditor', needs: 'the role admin' },
    draft: null,
    help: 'keys',
  },
  {
    route: '/staff',
    role: 'admin',
    at: same('/staff'),
    heading: same('Staff'),
    empty: { shows: 'Nobody yet', answers: 'staff.list' },
    data: same('Ada Jones'),
    reads: true,
    closed: { to: 'auditor', needs: 'the role admin' },
    draft: null,
    help: 'staff',
  },
  {
    route: '/privacy',
    role: 'privacy',
    at: same('/privacy'),
    heading: same('Privacy'),
    empty: { shows: 'No erasures' },
    data: same('Waits for a second person'),
    reads: true,
    closed: { to: 'auditor', needs: 'the role privacy' },
    draft: null,
    help: 'privacy',
  },
  {
    route: '/audit',
    role: 'auditor',
    at: same('/audit'),
    heading: same('Audit'),
    empty: { at: '/audit?operation=nothing.atAll', shows: 'No line of the audit meets this' },
    data: () => /^from \d/,
    reads: true,
    closed: { to: 'requester', needs: 'the role auditor' },
    draft: ['Who', 'Ada'],
    help: 'audit',
  },
  {
    route: '/audit/seals',
    role: 'auditor',
    at: same('/audit/seals'),
    heading: same('Seals'),
    empty: { at: '/audit/seals?cursor=1', shows: 'No older seals' },
    data: same('insurance-verification/audit/'),
    reads: true,
    closed: { to: 'requester', needs: 'the role auditor' },
    draft: null,
    help: 'seals',
  },
  {
    route: '/settings',
    role: 'verifier',
    at: same('/settings'),
    heading: same('Settings'),
    empty: { shows: 'You have no passkey' },
    data: same('This one'),
    reads: true,
    closed: null, // everyone has some
    draft: null,
    help: 'settings',
  },
];
