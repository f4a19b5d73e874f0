/** Reads the address of the CONNECT proxy. @throws TypeError without the address, which may hold a password */
export function egressProxy(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new TypeError(
    'egressProxyUrl is not an http or https URL; write for example http://proxy.internal:3128',
  );
}
