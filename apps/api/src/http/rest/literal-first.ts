import type Router from '@koa/router';

/**
 * Gives literal paths precedence over parameters, whatever the method and the order of the routes: `GET
 * /held-outputs/dismiss` is a method not allowed, not a held output of that name.
 */
export function literalFirst<State>(router: Router<State>): Router<State> {
  const match = router.match.bind(router);
  router.match = (path, method) => {
    const matched = match(path, method);
    const isLiteral = ({ paramNames }: (typeof matched.path)[number]) => paramNames.length === 0;
    if (!matched.path.some(isLiteral)) return matched;
    const pathAndMethod = matched.pathAndMethod.filter(isLiteral);
    return { path: matched.path.filter(isLiteral), pathAndMethod, route: pathAndMethod.length > 0 };
  };
  return router;
}
