/** The pages whose help has the name of their path. */
const SAME =
  'sign-in start work requests batches deliveries endpoints receivers held known-answers reports accounts keys staff privacy audit settings'.split(
    ' ',
  );

/** The help page of each path. */
export const HELP: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SAME.map((name) => [`/${name}`, name])),
  '/work/:requestId': 'workbench',
  '/requests/new': 'new-request',
  '/requests/:requestId': 'request',
  '/requests/:requestId/proof': 'proof',
  '/batches/new': 'new-batch',
  '/batches/:batchId': 'batch',
  '/deliveries/:deliveryId': 'delivery',
  '/endpoints/:endpointId': 'endpoint',
  '/receivers/:host': 'receiver',
  '/held/:heldId': 'held-output',
  '/known-answers/new': 'seed-request',
  '/audit/seals': 'seals',
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
