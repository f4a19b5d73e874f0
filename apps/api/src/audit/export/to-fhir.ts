import type { AuditLine } from '@insurance-verification/schema';
import type { Agent, AuditEvent, Coding, Entity } from './fhir-audit-event.ts';
import { kindOf } from './fhir-kind.ts';

const TERMINOLOGY = 'http://terminology.hl7.org/CodeSystem';

/** Ids of the service are values of these. */
const identifierOf = (of: 'actor' | 'account' | 'request' | 'subject', value: string) => ({
  system: `urn:insurance-verification:${of}`,
  value,
});

/** Somebody broke the glass. */
const BREAK_THE_GLASS = { system: `${TERMINOLOGY}/v3-ActReason`, code: 'BTG', display: 'break the glass' };

const PERSON = {
  system: `${TERMINOLOGY}/extra-security-role-type`,
  code: 'humanuser',
  display: 'human user',
};
const PROGRAM = {
  system: 'http://dicom.nema.org/resources/ontology/DCM',
  code: '110150',
  display: 'Application',
};

const SERVICE = {
  observer: { type: 'Device', display: 'Insurance Verification Service' },
  type: [{ system: `${TERMINOLOGY}/security-source-type`, code: '4', display: 'Application Server' }],
};

const SYSTEM_OBJECT = { system: `${TERMINOLOGY}/audit-entity-type`, code: '2', display: 'System Object' };

/** What a subject is in the audit's table of roles, by the prefix of its id. */
const ROLES: Readonly<Record<string, Coding>> = {
  acct: role('19', 'Customer'),
  key: role('13', 'Security Resource'),
  ses: role('13', 'Security Resource'),
  stf: role('11', 'Security User Entity'),
};

function role(code: string, display: string): Coding {
  return { system: `${TERMINOLOGY}/object-role`, code, display };
}

/** A line of the audit as an AuditEvent of FHIR R4. A line is written with what it tells, so each outcome is a success. */
export function toFhir(line: AuditLine): AuditEvent {
  const { type, subtypes, action } = kindOf(line.operation);
  const entities = [...entityOfRequest(line), ...entityOfSubject(line)];
  return {
    resourceType: 'AuditEvent',
    id: line.audit_id,
    type,
    subtype: [{ system: 'urn:insurance-verification:operation', code: line.operation }, ...subtypes],
    action,
    recorded: line.at,
    outcome: '0',
    ...((line.emergency || line.reason !== null) && {
      purposeOfEvent: [{ coding: [BREAK_THE_GLASS], ...(line.reason !== null && { text: line.reason }) }],
    }),
    agent: agentsOf(line),
    source: SERVICE,
    ...(entities.length > 0 && { entity: entities }),
  };
}

function agentsOf({ key_id: actor, account_id: account }: AuditLine): Agent[] {
  const agents: Agent[] = [
    actor === null
      ? { who: { display: 'nobody known' }, requestor: true }
      : {
          type: { coding: [actor.startsWith('stf_') ? PERSON : PROGRAM] },
          who: { identifier: identifierOf('actor', actor) },
          requestor: true,
        },
  ];
  if (account !== null)
    agents.push({
      who: { type: 'Organization', identifier: identifierOf('account', account) },
      requestor: false,
    });
  return agents;
}

const entityOfRequest = ({ request_id: id }: AuditLine): Entity[] =>
  id === null
    ? []
    : [
        {
          what: { type: 'CoverageEligibilityRequest', identifier: identifierOf('request', id) },
          type: SYSTEM_OBJECT,
          role: role('4', 'Domain Resource'),
        },
      ];

const entityOfSubject = ({ subject_id: id }: AuditLine): Entity[] =>
  id === null
    ? []
    : [
        {
          what: { identifier: identifierOf('subject', id) },
          type: SYSTEM_OBJECT,
          role: ROLES[id.split('_')[0] ?? ''] ?? role('4', 'Domain Resource'),
        },
      ];
