import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createSealKey, readSealKey } from '@insurance-verification/store';
import { Counter, Gauge, Histogram } from 'prom-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { createMetricsRouter } from '../../src/http/probes/metrics-router.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { useService } from '../a-service.ts';
import { aLiveAccount } from '../verification/a-live-account.ts';

const folder = new URL('../../deploy/', import.meta.url);
const ALERTS = 'prometheus/alerts.yml';
const DASHBOARD = 'grafana/insurance-verification.json';
const textOf = (file: string) => readFileSync(new URL(file, folder), 'utf8');

/** What Prometheus adds for each target. */
const OF_PROMETHEUS = { metrics: ['up'], labels: ['job', 'instance'] };

const service = useService({ env: { AUDIT_SEAL_KEY: createSealKey() } });
let scraped: string;
beforeAll(async () => {
  scraped = (await service.ask('GET', '/metrics')).text;
});

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}
const panels = (JSON.parse(textOf(DASHBOARD)) as { panels: Panel[] }).panels;
const queries = [
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  // An expression is one line, or a block ended by the next key.
  ...[...textOf(ALERTS).matchAll(/^ +expr: ([\s\S]*?)^ +(?:for|labels):/gm)].map(([, expr = '']) => expr),
];

/** A metric's name without a histogram's suffix. */
const familyOf = (name: string) => name.replace(/_(?:bucket|count|sum)$/, '');

/** The metrics in a query, each with the labels it selects by. */
function readBy(query: string): { name: string; labels: string[] }[] {
  const texts = query.matchAll(/\b((?:ivs|nodejs|process)_[a-z0-9_]+|up\b)(?:\{([^}]*)\})?/g);
  return [...texts].map(([, name = '', selector = '']) => ({
    name: familyOf(name),
    labels: [...selector.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label),
  }));
}

// Breaks when a metric is renamed and an alert silently never fires again.
test('every metric that the dashboard and the alerts name is in /metrics', () => {
  const served = [...scraped.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  const read = queries.flatMap(readBy).map(({ name }) => name);
  expect(queries.length).toBeGreaterThan(50);
  expect(read.filter((name) => ![...served, ...OF_PROMETHEUS.metrics].includes(name))).toEqual([]);
});

test('every metric of the service is on the dashboard', () => {
  const shown = new Set(
    panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => readBy(expr))).map(({ name }) => name),
  );
  const served = [...scraped.matchAll(/^# TYPE (ivs_\S+)/gm)].map(([, name = '']) => name);
  expect(served.filter((name) => !shown.has(name))).toEqual([]);
});

// A selector with an unknown label matches nothing, without an error.
test('every label that they select or group by is one of its metric', async () => {
  const { store } = await aLiveAccount();
  const metrics = createMetrics({ lostCount: () => 0 });
  const sealKey = readSealKey(createSealKey());
  createMetricsRouter({ config: readConfig({}), store, metrics, sealKey });
  const labelsOf = new Map(
    [metrics.registry, metrics.database]
      .flatMap((registry) => registry.getMetricsAsArray())
      .map((metric) => [metric.name, labelNamesOf(metric)]),
  );
  for (const query of queries) {
    const read = readBy(query);
    const known = [...OF_PROMETHEUS.labels, 'le', ...read.flatMap(({ name }) => labelsOf.get(name) ?? [])];
    const grouped = [...query.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, list = '']) =>
      list.split(/, */).filter(Boolean),
    );
    const lost = [...grouped, ...read.flatMap(({ labels }) => labels)].filter((one) => !known.includes(one));
    expect(lost, query).toEqual([]);
  }
});

/** prom-client has them on each metric but not in its types. */
function labelNamesOf(metric: object): string[] {
  if (!(metric instanceof Counter || metric instanceof Gauge || metric instanceof Histogram)) return [];
  return (metric as unknown as { labelNames: string[] }).labelNames;
}

// For Prometheus, `quantile` means a summary, and a name that ends in _total a counter.
test('no gauge has the labels or the name of another kind', () => {
  const kinds = new Map(
    [...scraped.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name = '', kind]) => [name, kind]),
  );
  expect([...kinds].filter(([name, kind]) => kind !== 'counter' && name.endsWith('_total'))).toEqual([]);
  expect([...kinds.values()]).not.toContain('summary');
  expect(scraped).not.toContain('quantile=');
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool) process.stderr.write('promtool is not on this machine: it checks nothing here.\n');

describe.skipIf(!hasPromtool)(`promtool${hasPromtool ? '' : ', which this machine lacks,'}`, () => {
  const run = (args: string[], input?: string) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, {
      cwd: new URL('prometheus/', folder),
      input,
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  };

  test('finds nothing wrong with /metrics', () => {
    expect(run(['check', 'metrics'], scraped)).toEqual({ status: 0, output: '' });
  });

  test.each([
    ['the alerts', ['check', 'rules', 'alerts.yml']],
    ['when they fire', ['test', 'rules', 'alerts.test.yml']],
    ['the configuration of a scrape', ['check', 'config', '--syntax-only', 'scrape.yml']],
  ])('accepts %s', (_, args) => {
    const { status, output: answer } = run(args);
    expect(status, answer).toBe(0);
  });
});
