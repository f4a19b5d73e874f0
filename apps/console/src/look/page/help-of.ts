/** The help page of each path. */
export const HELP: Readonly<Record<string, string>> = {
  '/sign-in': 'sign-in',
  '/start': 'start',
  '/work': 'work',
  '/work/:requestId': 'workbench',
  '/requests': 'requests',
  '/requests/new': 'new-request',
  '/requests/:requestId': 'request',
  '/deliveries': 'deliveries',
  '/deliveries/:deliveryId': 'delivery',
  '/held': 'held',
  '/held/:heldId': 'held-output',
  '/reports': 'reports',
  '/accounts': 'accounts',
  '/keys': 'keys',
  '/staff': 'staff',
  '/audit': 'audit',
  '/audit/seals': 'seals',
  '/settings': 'settings',
};

/** The address of a path's help page; the table of contents where it has none. */
export function helpOf(path: string): string {
  const route = Object.hasOwn(HELP, path) || !path.startsWith('/') ? path : path.replace(/\/[^/]+$/, '/:');
  const found = Object.entries(HELP).find(([one]) => one === route || one.replace(/:\w+$/, ':') === route);
  return found ? `/console/help/${found[1]}` : '/console/help';
}
