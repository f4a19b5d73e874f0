/** How an X12 text travels: as the body itself, in a JSON field, or as the `Payload` part of a multipart form. */
export type PayloadForm =
  | { readonly kind: 'raw' }
  | { readonly kind: 'json' }
  | { readonly kind: 'multipart'; readonly boundary: string };

export function formOf(contentType: string): PayloadForm {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (boundary !== undefined) return { kind: 'multipart', boundary };
  return contentType.startsWith('application/json') ? { kind: 'json' } : { kind: 'raw' };
}

/** The X12 text of a body. Without one in the given form, the whole body, which is then rejected as X12. */
export function unwrap(body: string, form: PayloadForm): string {
  if (form.kind === 'json') return textOf(body) ?? body;
  if (form.kind === 'raw') return body;
  const part = body.split(`--${form.boundary}`).find((text) => /name="?Payload"?\r\n/i.test(text));
  return part?.split('\r\n\r\n').slice(1).join('\r\n\r\n').replace(/\r\n$/, '') ?? body;
}

function textOf(body: string): string | null {
  try {
    const value: unknown = JSON.parse(body);
    const text = typeof value === 'object' && value !== null && 'x12' in value ? value.x12 : null;
    return typeof text === 'string' ? text : null;
  } catch {
    return null; // not JSON: the X12 reader reports the fault
  }
}

/** The answer in the inquiry's form. */
export function wrap(text: string, form: PayloadForm): { contentType: string; body: string } {
  if (form.kind === 'json') return { contentType: 'application/json', body: JSON.stringify({ x12: text }) };
  if (form.kind === 'raw') return { contentType: 'application/edi-x12', body: text };
  const boundary = 'simulator-boundary';
  const part = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: `${part('PayloadType', 'X12_271_Response_005010X279A1')}${part('Payload', text)}--${boundary}--\r\n`,
  };
}
