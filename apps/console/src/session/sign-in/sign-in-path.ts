/** The path of the sign-in page, with the present page as `to`. */
export function signInPath(): string {
  const here = `${location.pathname}${location.search}`;
  return here === '/console' || here === '/console/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(here)}`;
}
