import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { DEFAULT_PAYERS } from '@insurance-verification/schema';
import { createContract } from '@insurance-verification/schema/contract';
import { describe, expect, test } from 'vitest';
import { createOpenApiTexts } from '../src/http/openapi/openapi.ts';
import { createRouter } from '../src/router.ts';

type Node = Record<string, unknown>;

const shipped = readFileSync(new URL('../../../packages/client/openapi.json', import.meta.url), 'utf8');
const document = JSON.parse(shipped) as Node;

/** What a generator of some language makes nothing of, each with a schema that breaks it. */
const RULES: Readonly<
  Record<string, { readonly breaks: (node: Node, schemas: Node) => boolean; readonly wrong: Node }>
> = {
  // Java, Kotlin and Rust: a class that does not compile, or that reads nothing.
  'no choice that has an object or a list, but with null': {
    breaks: (node, schemas) => {
      const types = choicesOf(node)
        .map((one) => typeOf(one, schemas))
        .filter((type) => type !== 'null');
      return types.length > 1 && !types.every((type) => type === 'string' || type === 'integer');
    },
    wrong: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  },
  // Kotlin: the component is compared with their text.
  'no value next to a reference': {
    breaks: ({ $ref: ref, type, enum: values }) => ref !== undefined && (type ?? values) !== undefined,
    wrong: { $ref: '#/components/schemas/A', type: 'string', enum: ['a'] },
  },
  // Java: an enumeration of the text `true`.
  'no constant that is a boolean': {
    breaks: (node) => typeof node['const'] === 'boolean',
    wrong: { type: 'boolean', const: true },
  },
  // Rust and Kotlin: an enumeration without a name, once for each place.
  'no enumeration without a name beside null': {
    breaks: (node) =>
      (choicesOf(node).some(({ type }) => type === 'null') && choicesOf(node).some((one) => 'enum' in one)) ||
      (Array.isArray(node['enum']) && Array.isArray(node['type'])),
    wrong: { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
  },
  // Kotlin and Python: every enumeration has a member `name` already.
  'no value of an enumeration that is called name': {
    breaks: (node) => Array.isArray(node['enum']) && node['enum'].includes('name'),
    wrong: { type: 'string', enum: ['name'] },
  },
};

const choicesOf = (node: Node) => (node['anyOf'] ?? node['oneOf'] ?? []) as Node[];

const typeOf = ({ type, $ref: ref }: Node, schemas: Node) =>
  (schemas[String(ref).replace('#/components/schemas/', '')] as Node | undefined)?.['type'] ?? type;

/** Every schema and operation of a document that breaks a rule, by its path. */
function breaches(node: unknown, breaks: (node: Node) => boolean, path = '#'): string[] {
  if (Array.isArray(node)) return node.flatMap((one, index) => breaches(one, breaks, `${path}/${index}`));
  if (typeof node !== 'object' || node === null) return [];
  const own = breaks(node as Node) ? [path] : [];
  return [
    ...own,
    ...Object.entries(node)
      .filter(([name]) => name !== 'example' && name !== 'examples')
      .flatMap(([name, one]) => breaches(one, breaks, `${path}/${name}`)),
  ];
}

const { schemas } = document['components'] as { schemas: Node };

// A generator of each language was tried with the document: these are the places where one made nothing that works.
describe.each(Object.entries(RULES))('%s', (_, { breaks, wrong }) => {
  test('in the document', () => {
    expect(breaches(document, (node) => breaks(node, schemas))).toEqual([]);
  });

  test('which is found where it is broken', () => {
    expect(breaches({ A: wrong }, (node) => breaks(node, {}))).toEqual(['#/A']);
  });
});

describe('the document of a provider', () => {
  const { operations, schemas: own } = createContract({ payers: DEFAULT_PAYERS });
  const text = createOpenApiTexts(createRouter(operations), own)('provider', 'https://verify.example');
  const provider = JSON.parse(text) as { components: { responses: Node }; tags: { name: string }[] };

  test('is small: 350 KB, 40 KB compressed', () => {
    expect(text.length).toBeLessThan(350_000);
    expect(gzipSync(text).length).toBeLessThan(40_000);
    expect(brotliCompressSync(text).length).toBeLessThan(40_000);
  });

  test('has an answer that several operations give once, and no answer that nothing refers to', () => {
    const names = Object.keys(provider.components.responses);
    expect(names).toEqual(expect.arrayContaining(['Unauthorized', 'Unavailable']));
    for (const name of names) expect(text).toContain(`"#/components/responses/${name}"`);
  });
});
