import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';

/**
 * Gives literal paths precedence over parameters, whatever the method and the order of the routes: `GET
 * /held-outputs/dismiss` is a method not allowed, not a held output of that name. Call it once all routes are
 * registered, each with one handler.
 */
export function literalFirst<State>(router: Router<State>): Pick<Router<State>, 'match' | 'routes'> {
  const literals = Map.groupBy(
    router.stack.filter(({ paramNames }) => paramNames.length === 0),
    ({ path }) => String(path),
  );
  const routes = router.routes();
  return {
    match: (path, method) => {
      const layers = literals.get(path);
      if (!layers) return router.match(path, method);
      const pathAndMethod = layers.filter(({ methods }) => methods.includes(method));
      return { path: layers, pathAndMethod, route: pathAndMethod.length > 0 };
    },
    routes: () => (koa, next) => {
      const layers = literals.get(koa.path);
      if (!layers) return routes(koa, next);
      const [handle] = layers.find(({ methods }) => methods.includes(koa.method))?.stack ?? [];
      // Such a path has no parameters, which alone the router would add.
      return handle ? handle(koa as RouterContext<State>, next) : next();
    },
  };
}
