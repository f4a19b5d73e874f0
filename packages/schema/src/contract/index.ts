import { createSchemas, type Schemas } from '../create-schemas.ts';
import { DEFAULT_PAYERS, type PayerNames } from '../payers.ts';
import { accountsOperations } from './accounts.ts';
import { auditOperations } from './audit.ts';
import { batchesOperations } from './batches.ts';
import { deliveriesOperations } from './deliveries.ts';
import { demoOperations } from './demo.ts';
import { draftsOperations } from './drafts.ts';
import { endpointsOperations } from './endpoints.ts';
import { erasuresOperations, holdsOperations } from './erasures-and-holds.ts';
import { eventsOperations } from './events.ts';
import { heldOutputsOperations } from './held-outputs.ts';
import { keysOperations } from './keys.ts';
import { knownAnswersOperations } from './known-answers.ts';
import type { Operation } from './operation.ts';
import { verificationOutputOperations } from './outputs.ts';
import { passkeysOperations } from './passkeys.ts';
import { payersOperations } from './payers.ts';
import { staffOperations } from './people.ts';
import { receiversOperations } from './receivers.ts';
import { reportsOperations } from './reports.ts';
import { requestsOperations } from './requests.ts';
import { resultsOperations } from './results.ts';
import { sessionsOperations } from './sessions.ts';
import { settingsOperations } from './settings.ts';
import { webhookSecretOperations } from './webhook-secret.ts';
import { workOperations } from './work.ts';

export type { Change, Operation, OperationAudience, OperationFact, OperationTag } from './operation.ts';
export { EXAMPLE_IDS } from './examples/ids.ts';
export { exampleOutput } from './examples/output.ts';

/** The operations of each resource, over the models of a payer configuration. */
const RESOURCES = {
  requests: (
    schemas: Schemas,
  ): ReturnType<typeof requestsOperations> & ReturnType<typeof resultsOperations> => ({
    ...requestsOperations(schemas),
    ...resultsOperations(schemas),
  }),
  batches: batchesOperations,
  payers: payersOperations,
  demo: demoOperations,
  work: workOperations,
  drafts: draftsOperations,
  deliveries: deliveriesOperations,
  receivers: receiversOperations,
  events: eventsOperations,
  endpoints: endpointsOperations,
  verificationOutput: verificationOutputOperations,
  heldOutputs: heldOutputsOperations,
  knownAnswers: knownAnswersOperations,
  keys: keysOperations,
  accounts: accountsOperations,
  erasures: erasuresOperations,
  holds: holdsOperations,
  staff: staffOperations,
  sessions: sessionsOperations,
  passkeys: passkeysOperations,
  settings: settingsOperations,
  audit: auditOperations,
  reports: reportsOperations,
  webhookSecret: webhookSecretOperations,
};

/** The operations of the contract, by resource. */
export type Operations = {
  readonly [Resource in keyof typeof RESOURCES]: ReturnType<(typeof RESOURCES)[Resource]>;
};

/** The models and the operations for one payer configuration. */
export interface Contract {
  readonly schemas: Schemas;
  readonly operations: Operations;
}

/**
 * The contract for one payer configuration: the models, and every operation of the service, by resource. The tRPC router,
 * the REST routes, the document, the clients' types, the table of the docs and the tools of agents are made from it.
 *
 * @param options.payers exactly four distinct, non-empty names.
 * @throws TypeError for any other `payers`.
 */
export function createContract({ payers }: { readonly payers: PayerNames }): Contract {
  const schemas = createSchemas({ payers });
  const operations = Object.entries(RESOURCES).map(([resource, make]) => [resource, make(schemas)]);
  return { schemas, operations: Object.fromEntries(operations) as Operations };
}

/** The name of an operation: `requests.create`. */
export type OperationName = {
  [Resource in keyof Operations]: `${Resource}.${keyof Operations[Resource] & string}`;
}[keyof Operations];

/** Every operation by its name. */
export type OperationsByName = {
  readonly [Name in OperationName]: Name extends `${infer Resource extends keyof Operations}.${infer Own}`
    ? Operations[Resource][Own & keyof Operations[Resource]]
    : never;
};

/** The operations of a contract by their names, in its order. */
export function operationsByName(operations: Operations): OperationsByName {
  const all = Object.values(operations).flatMap((own): readonly Operation[] => Object.values(own));
  return Object.fromEntries(
    all.map((operation) => [operation.name, operation]),
  ) as unknown as OperationsByName;
}

/** Every operation by its name, over the placeholder payers. */
export const OPERATIONS = operationsByName(createContract({ payers: DEFAULT_PAYERS }).operations);

/** The audit's events that are not operations: sign-ins, and actions of the service itself or on its machine. */
export const RECORDED_ACTIONS = [
  'audit.drop',
  'audit.resume',
  'keys.replaceFirst',
  'sessions.signIn',
  'sessions.signOut',
  'work.expire',
] as const;

/** The `operation` of a line of the audit. */
export type RecordedOperation = OperationName | (typeof RECORDED_ACTIONS)[number];
