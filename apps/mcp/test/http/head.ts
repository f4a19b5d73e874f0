/** The first lines of a request, ended; a host is named unless the headers name one or `host` says not to. */
export function head(line: string, headers: readonly string[] = [], host = 'Host: service'): string {
  return [`${line} HTTP/1.1`, ...(host === '' ? [] : [host]), ...headers, '', ''].join('\r\n');
}
