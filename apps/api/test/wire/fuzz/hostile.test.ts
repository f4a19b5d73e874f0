import type { ValidationError } from '@insurance-verification/schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { create, filled, type Frame, output } from '../../../faults/ground/hostile-frames.ts';
import { useService } from '../../a-service.ts';

/** Nightly runs set more. A body of a megabyte counts as fifty calls. */
const CASES = Math.ceil(Number(process.env['FUZZ_CASES'] ?? 2_000) / 50);

const service = useService({ env: { LOG_LEVEL: 'warn' } });

interface Place {
  readonly path: string;
  readonly frame: Frame;
  /** Null for outputs: an anonymous caller is never refused because of what others have held. */
  readonly key?: null;
}

const places: Place[] = [
  ...Object.values(output).map((frame) => ({ path: '/verification-output', frame, key: null })),
  ...Object.values(create).map((frame) => ({ path: '/requests/', frame })),
];

const arbitraryItem = fc.json({ maxDepth: 3 }).filter((text) => text.length < 300);

/** One body of each answer, so that none depends on what is generated. */
const examples: [[Place, string, boolean]][] = [
  [[{ path: '/requests/', frame: create.unknown }, '0', true]],
  [[{ path: '/requests/', frame: create.codes }, '"D0120"', true]],
  [[{ path: '/requests/', frame: create.codes }, '0', true]],
];

/** A place of a model filled with one item a thousand times or more, in a list or under unique names. */
const arbitraryBody = fc.tuple(fc.constantFrom(...places), arbitraryItem, fc.boolean());

test(
  `${CASES} megabytes of one thing are accepted, refused for their size, or answered with their first thousand faults`,
  { timeout: 60_000 + CASES * 1_000 },
  async () => {
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(arbitraryBody, async ([{ path, frame, ...sender }, item, isList]) => {
        const body = isList
          ? filled(frame, '[', ']', () => item)
          : filled(frame, '{', '}', (index) => `"${index}":${item}`);
        const { status, json } = await service.ask('POST', path, { ...sender, body });
        seen.add(status);
        // A create with nothing wrong but its size is refused for it: 128 KiB are kept.
        expect(path === '/requests/' ? [200, 413, 422] : [200, 422]).toContain(status);
        if (status !== 422) return;
        const { detail } = json as { detail: ValidationError[] };
        expect(detail.length).toBeGreaterThan(0);
        expect(detail.length).toBeLessThanOrEqual(1_000);
        expect(detail.map(({ type }) => type)).not.toContain('json_invalid');
      }),
      { numRuns: CASES, examples },
    );
    expect([...seen].toSorted()).toEqual([200, 413, 422]);
    expect(service.logLines.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
  },
);
