/** The request line and headers with their end; adds a Host header unless `headers` has one or `host` is empty. */
export function head(line: string, headers: readonly string[] = [], host = 'Host: service'): string {
  return [`${line} HTTP/1.1`, ...(host === '' ? [] : [host]), ...headers, '', ''].join('\r\n');
}
