/**
 * The rules of a compatible change, one row each: what breaks, who breaks, and an example. A change that meets none of them
 * is compatible, such as a new operation, a new optional field, or a new value of an enumeration, which every reader must
 * expect (apps/docs, "Versions").
 */
export const RULES = {
  'operation-removed': ['callers', 'GET /payers is gone'],
  'operation-renamed': ['generated clients', 'the operationId payers.list is payers.all'],
  'security-added': ['callers', 'GET /payers asks for a key'],
  'parameter-removed': ['callers', 'the query parameter `cursor` is gone, and refused'],
  'parameter-required': ['callers', 'the header Idempotency-Key must be sent'],
  'body-required': ['callers', 'a body that could be left out must be sent'],
  'media-type-removed': ['callers', 'application/x-ndjson is no longer returned'],
  'status-removed': ['callers', 'a create no longer answers 200'],
  'status-added': ['callers', 'a create may answer 202'],
  'header-removed': ['callers', 'RateLimit is no longer sent'],
  'component-removed': ['generated clients', 'the schema PatientInfo is named Patient'],

  'input-removed': ['callers', 'notes is no longer taken, and refused'],
  'input-required': ['callers', 'member_id must be sent'],
  'input-closed': ['callers', 'members that were ignored are refused'],
  'input-narrowed': ['callers', 'null, a type, or one of several forms is no longer taken'],
  'bound-narrowed': ['callers', 'a name has 100 characters at most, not 255'],
  'pattern-changed': ['callers', 'an NPI must begin with 1 or 2'],
  'format-changed': ['callers and readers', 'a date has a time of day'],
  'default-changed': ['callers', 'limit is 20 when it is left out, not 50'],

  'answer-removed': ['readers', 'plan_name is gone'],
  'answer-optional': ['readers', 'plan_name may be absent'],
  'answer-widened': ['readers', 'null, a type, or another form may be returned'],
  'value-removed': ['callers and readers', 'error_reason is never timeout again'],
  'constant-changed': ['callers and readers', 'type is benefit.v2'],

  'webhook-removed': ['webhook receivers', 'verificationResult is no longer sent'],
  'webhook-header-removed': ['webhook receivers', 'webhook-id is no longer sent'],

  'problem-removed': ['callers', 'the code request_leased is gone'],
  'problem-changed': ['callers', 'request_leased has status 423, or is no longer retryable'],
  'reason-removed': ['readers', 'the reason payer_down is gone'],
  'reason-changed': ['readers', 'payer_down is no longer retryable'],

  'schema-file-removed': ['importers', 'json-schema/payer.json is gone'],
  'schema-id-changed': ['importers', 'the $id of payer.json names v2'],
  'fixture-refused': ['importers', 'a request that the last release accepted is refused'],
  'entry-point-removed': ['importers', '@insurance-verification/schema/contract is gone'],
  'export-removed': ['importers', 'createSchemas is gone'],
  'export-changed': ['importers', 'Payer is a type and no value any more'],
  'argument-required': ['importers', 'verifyWebhook needs a third argument'],
  'argument-removed': ['importers', 'verifyWebhook takes one argument less'],
  'member-removed': ['importers', 'the interface ProblemFact has no title'],
  'member-required': ['importers', 'the option `clock` must be given'],
  'node-raised': ['importers', 'engines asks for Node 22'],
  'peer-raised': ['importers', 'the peer zod must be 5'],
} as const satisfies Record<string, readonly [breaks: string, example: string]>;

export type Rule = keyof typeof RULES;

/** One place in which a change breaks a rule. */
export interface Breach {
  readonly rule: Rule;
  /** Where: `POST /requests/ body.patient_info.name`, `@insurance-verification/schema createSchemas`. */
  readonly path: string;
  /** What it was and what it is: `maxLength 255, now 100`. */
  readonly what: string;
}

/** A breach as a line for the person whose change it is: place, rule, what changed, and who breaks. */
export const describeBreach = ({ rule, path, what }: Breach): string =>
  `${path}: ${rule} (${what}); breaks ${RULES[rule][0]}`;
