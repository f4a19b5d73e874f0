import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Log } from './log.ts';
import type { Step, Tracing } from './tracing.ts';

interface TracingOptions {
  /** The collector's address for traces over OTLP/HTTP. */
  readonly url: string;
  readonly log: Pick<Log, 'warn'>;
}

/** Milliseconds to wait for the last spans: an unavailable collector must not delay the process's end. */
const STOP_MS = 3_000;

/** Milliseconds between two lines about a collector that accepts nothing. */
const FAILURE_LINE_MS = 60_000;

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/**
 * Turns each step into a span and exports spans in batches. All steps of a request are in the trace of its id, as
 * children of the step that stored it. If its caller traces, the call is also a span of the caller's trace, and the two
 * link to each other: the request lives for days, and the caller's trace may not be sampled.
 */
export function startTracing({ url, log }: TracingOptions): Tracing {
  const ids = createIds();
  const provider = new TracerProvider({
    idGenerator: ids.generator,
    resource: resource(),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: loggingFailures(new OTLPTraceExporter({ url }), log) }),
    ],
  });
  const tracer = provider.getTracer('insurance-verification');

  const add = (step: Step, parent: SpanContext | undefined, links: readonly Link[]): SpanContext => {
    const { startedAt, durationMs } = step;
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const span = tracer.startSpan(
      step.name,
      { kind: KINDS[step.kind], startTime: startedAt, attributes: attributesOf(step), links: [...links] },
      context,
    );
    if (step.failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(startedAt + durationMs);
    return span.spanContext();
  };

  return {
    step: (step) => {
      const own = traceIdsOf(step.requestId);
      const first = {
        traceId: own.traceId,
        spanId: own.firstSpanId,
        traceFlags: TraceFlags.SAMPLED,
        isRemote: true,
      };
      const caller = parseTraceParent(step.traceparent ?? '');
      const inTheirs = caller && add(step, { ...caller, isRemote: true }, [{ context: first }]);
      const links = inTheirs ? [{ context: inTheirs }] : [];
      if (step.isFirst) ids.next(own, () => add(step, undefined, links));
      else add(step, first, links);
    },
    stop: async () => {
      const shutdown = provider.shutdown().catch(() => undefined); // the exporter reported the failure
      await Promise.race([shutdown, wait(STOP_MS, undefined, { ref: false })]);
    },
  };
}

function attributesOf({ requestId, attributes }: Step): Record<string, string | number> {
  const known = Object.entries(attributes).filter(
    (entry): entry is [string, string | number] => entry[1] !== null,
  );
  return { 'ivs.request_id': requestId, ...Object.fromEntries(known) };
}

/** The process's name and attributes: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` override ours. */
function resource() {
  const detectors = [resourceAttributesEnvDetector, serviceNameEnvDetector];
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'insurance-verification' }))
    .merge(detectResources({ detectors }));
}

/** Random ids, except within `next`. */
function createIds() {
  const random = new RandomIdGenerator();
  let given: TraceIds | undefined;
  return {
    generator: {
      generateTraceId: () => given?.traceId ?? random.generateTraceId(),
      generateSpanId: () => given?.firstSpanId ?? random.generateSpanId(),
    },
    next: (own: TraceIds, make: () => void) => {
      given = own;
      make();
      given = undefined;
    },
  };
}

/** Spans that no collector accepts are lost: the service continues and logs it once a minute. */
function loggingFailures(exporter: SpanExporter, log: Pick<Log, 'warn'>): SpanExporter {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error && performance.now() - loggedAt >= FAILURE_LINE_MS) {
          loggedAt = performance.now();
          log.warn(
            { err: result.error, span_count: spans.length },
            'the collector took no spans; they are lost',
          );
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

/** The start of a request's trace. */
interface TraceIds {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Of the step that stored the request: 16 hexadecimal digits. */
  readonly firstSpanId: string;
}

/**
 * Takes a request's trace id from the first 16 bytes of its id's SHA-256, and its first span id from the next 8. So
 * every process knows the trace of every request, even days later, and nothing is stored for it.
 */
function traceIdsOf(requestId: string): TraceIds {
  const digest = hash('sha256', requestId);
  return { traceId: digest.slice(0, 32), firstSpanId: digest.slice(32, 48) };
}
