/** The curl command for a call; the key stays in its variable. */
export function curl(url: string, { key, body }: { key: boolean; body?: unknown }): string {
  const parts = [`curl ${quoted(url)}`];
  if (key) parts.push('-H "x-key: $IV_API_KEY"');
  if (body !== undefined)
    parts.push("-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  return parts.join(' ');
}

/** Quotes any text as one shell word. */
function quoted(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
