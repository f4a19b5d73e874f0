/** The help page of each path. */
export const HELP: Readonly<Record<string, string>> = {
  '/sign-in': 'sign-in',
  '/start': 'start',
  '/work': 'work',
  '/work/:requestId': 'workbench',
  '/requests': 'requests',
  '/requests/new': 'new-request',
  '/requests/:requestId': 'request',
  '/requests/:requestId/proof': 'proof',
  '/batches': 'batches',
  '/batches/new': 'new-batch',
  '/batches/:batchId': 'batch',
  '/deliveries': 'deliveries',
  '/deliveries/:deliveryId': 'delivery',
  '/endpoints': 'endpoints',
  '/endpoints/:endpointId': 'endpoint',
  '/receivers': 'receivers',
  '/receivers/:host': 'receiver',
  '/held': 'held',
  '/held/:heldId': 'held-output',
  '/known-answers': 'known-answers',
  '/known-answers/new': 'seed-request',
  '/reports': 'reports',
  '/accounts': 'accounts',
  '/keys': 'keys',
  '/staff': 'staff',
  '/privacy': 'privacy',
  '/audit': 'audit',
  '/audit/seals': 'seals',
  '/settings': 'settings',
};

/** The address of a path's help page; the table of contents where it has none. */
export function helpOf(path: string): string {
  const found = Object.keys(HELP).find((route) => route === path) ?? Object.keys(HELP).find(isRouteOf(path));
  return found === undefined ? '/console/help' : `/console/help/${HELP[found]}`;
}

const isRouteOf = (path: string) => (route: string) => {
  const names = path.split('/');
  const parts = route.split('/');
  return (
    parts.length === names.length && parts.every((part, at) => part.startsWith(':') || part === names[at])
  );
};
