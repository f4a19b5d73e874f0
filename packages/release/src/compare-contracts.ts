import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Contract } from './baseline.ts';
import { compareDocuments } from './compare-documents.ts';
import { comparePackages } from './compare-packages.ts';
import { compareRegistries } from './compare-registries.ts';
import { type Flow, schemaComparer } from './compare-schemas.ts';
import type { Breach } from './rules.ts';

/** The package whose major version allows a breach. */
export interface Breaking extends Breach {
  readonly package: string;
}

const SCHEMA = '@insurance-verification/schema';

/** Every place in which a program that was written for one contract breaks with the other. */
export function compareContracts(before: Contract, now: Contract): Breaking[] {
  const ofWire = [
    ...compareDocuments(before.document, now.document),
    ...compareRegistries(before.registries, now.registries),
    ...compareJsonSchemas(before, now),
    ...refusedFixtures(before, now),
  ].map((breach) => ({ ...breach, package: SCHEMA }));
  const ofPackages = Object.entries(before.packages).flatMap(([name, was]) => {
    const is = now.packages[name];
    return is ? comparePackages(name, was, is).map((breach) => ({ ...breach, package: name })) : [];
  });
  return [...ofWire, ...ofPackages];
}

/** The models that callers send; the service returns the others. */
const SENT = new Set(['RequestInfo', 'PatientInfo', 'PayerInfo', 'ProviderInfo', 'Payer']);

function compareJsonSchemas(before: Contract, now: Contract): Breach[] {
  return Object.entries(before.jsonSchemas).flatMap(([name, was]): Breach[] => {
    const is = now.jsonSchemas[name];
    const path = `JSON Schema ${name}`;
    if (!is) return [{ rule: 'schema-file-removed', path, what: 'it is gone or renamed' }];
    const breaches: Breach[] = [];
    if (was['$id'] !== is['$id'])
      breaches.push({
        rule: 'schema-id-changed',
        path,
        what: `${String(was['$id'])}, now ${String(is['$id'])}`,
      });
    const flow: Flow = SENT.has(name) ? 'sent' : 'returned';
    const inDefs = (schema: Contract['jsonSchemas'][string]) => (ref: string) =>
      ref === '#' ? schema : schema.$defs?.[ref.replace('#/$defs/', '')];
    const compare = schemaComparer(inDefs(was), inDefs(is), (breach) =>
      breaches.push({ ...breach, path: `${path}: ${breach.path}` }),
    );
    compare(was, is, { path: name, flow });
    return breaches;
  });
}

/** Requests of one release that the other does not take: old ones sent to the new service, new ones to the old. */
function refusedFixtures(before: Contract, now: Contract): Breach[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const accepts = ({ jsonSchemas }: Contract, name: 'RequestInfo' | 'ResponseModel') => {
    const { $id: _id, ...schema } = jsonSchemas[name] ?? {};
    return ajv.compile(schema);
  };
  const [takesRequest, takesOutput] = [accepts(now, 'RequestInfo'), accepts(now, 'ResponseModel')];
  const refused = (name: string, what: string): Breach => ({
    rule: 'fixture-refused',
    path: `fixture “${name}”`,
    what,
  });
  const tookRequest = accepts(before, 'RequestInfo');
  return [
    ...before.fixtures['request-info']
      .filter(({ body }) => !takesRequest(body))
      .map(({ name }) => refused(name, 'an old request')),
    ...before.fixtures['response-model']
      .filter(({ body }) => !takesOutput(body))
      .map(({ name }) => refused(name, 'an old output')),
    ...now.fixtures['request-info']
      .filter(({ body }) => !tookRequest(body))
      .map(({ name }) => refused(name, 'the old service refuses a new request')),
  ];
}
