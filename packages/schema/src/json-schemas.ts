import * as z from 'zod';
import { createSchemas } from './create-schemas.ts';
import { DEFAULT_PAYERS, type PayerNames } from './payers.ts';

/** The names of the spec's models and enumerations. */
export const SPEC_MODEL_NAMES = [
  'ResponseModel',
  'RequestModel',
  'RequestInfo',
  'PatientInfo',
  'PayerInfo',
  'ProviderInfo',
  'InsurancePlanData',
  'PlanInfo',
  'RequestState',
  'VerificationSource',
  'EligibilityStatus',
  'Payer',
  'HTTPValidationError',
  'ValidationError',
] as const;
/** One of {@link SPEC_MODEL_NAMES}. */
export type SpecModelName = (typeof SPEC_MODEL_NAMES)[number];

/** A JSON Schema document, draft 2020-12. */
export type JsonSchema = z.core.JSONSchema.JSONSchema;

/**
 * Every model of the spec as a JSON Schema (draft 2020-12) over the given payers. Each document is self-contained: the
 * models it refers to are in its `$defs`, under their spec names. Unknown keys are allowed. Its `$id` names the model,
 * the major version of this package and, except for the placeholders, the payers: no two documents share one.
 *
 * @throws TypeError when `payers` is not exactly four distinct, non-empty names.
 */
export function createJsonSchemas({
  payers,
}: {
  readonly payers: PayerNames;
}): Record<SpecModelName, JsonSchema> {
  const schemas = createSchemas({ payers });
  const entries = SPEC_MODEL_NAMES.map((name) => {
    const id = [ID_PREFIX, name, ...suffixOf(payers)].join(':');
    return [name, jsonSchemaOf(id, name, schemas[name])] as const;
  });
  return Object.fromEntries(entries) as Record<SpecModelName, JsonSchema>;
}

/** A name, not an address: no site exists where every team could read the documents of every service. */
const ID_PREFIX = 'urn:insurance-verification:schema:v1';

function suffixOf(payers: PayerNames): string[] {
  const isPlaceholder = payers.every((name, index) => name === DEFAULT_PAYERS[index]);
  return isPlaceholder ? [] : payers.map((name) => encodeURIComponent(name.toWellFormed()));
}

/** Zod refers to a named root in its own `$defs`; here the root is inlined, which more tools can read. */
function jsonSchemaOf(id: string, name: SpecModelName, schema: z.ZodType): JsonSchema {
  const { [name]: root, ...others } = z.toJSONSchema(schema).$defs ?? {};
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    title: name,
    ...root,
    ...(Object.keys(others).length > 0 && { $defs: others }),
  };
}
