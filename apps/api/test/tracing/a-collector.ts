import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A span in OTLP/JSON. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

/** A real OTLP/HTTP collector on 127.0.0.1, closed after the test. */
export interface Collector {
  readonly url: string;
  readonly exports: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly text: string }[];
  readonly spans: () => Span[];
  /** `service.name` of the exporters. */
  readonly serviceNames: () => unknown[];
}

export async function aCollector(status = 200): Promise<Collector> {
  const exports: Collector['exports'] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      exports.push({ path: req.url ?? '', headers: req.headers, text: Buffer.concat(chunks).toString() });
      res.writeHead(status, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const parsed = () => exports.map(({ text }) => JSON.parse(text) as Exported);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exports,
    spans: () =>
      parsed().flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    serviceNames: () =>
      parsed().flatMap(({ resourceSpans }) =>
        resourceSpans.map(
          ({ resource }) =>
            resource.attributes.find(({ key }) => key === 'service.name')?.value['stringValue'],
        ),
      ),
  };
}

/** An attribute's value of any type. */
export function attributeOf(span: Span, name: string): unknown {
  const value = span.attributes.find(({ key }) => key === name)?.value ?? {};
  return Object.values(value)[0];
}
