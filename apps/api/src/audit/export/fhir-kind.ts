import { OPERATIONS } from '@insurance-verification/schema';
import type { AuditEvent } from './fhir-audit-event.ts';

/** What an operation is in FHIR's terms. */
type Kind = Pick<AuditEvent, 'type' | 'action'> & { readonly subtypes: AuditEvent['subtype'] };

const dicom = (code: string, display: string) => ({
  system: 'http://dicom.nema.org/resources/ontology/DCM',
  code,
  display,
});

const REST = {
  system: 'http://terminology.hl7.org/CodeSystem/audit-event-type',
  code: 'rest',
  display: 'RESTful Operation',
};

const AUDIT_LOG_USED = dicom('110101', 'Audit Log Used');
const USER_AUTHENTICATION = dicom('110114', 'User Authentication');
const SECURITY_ALERT = dicom('110113', 'Security Alert');

/** Operations that have a code of their own in the value sets of R4. */
const KINDS: Readonly<Record<string, Kind>> = {
  'sessions.signIn': { type: USER_AUTHENTICATION, subtypes: [dicom('110122', 'Login')], action: 'E' },
  'sessions.signOut': { type: USER_AUTHENTICATION, subtypes: [dicom('110123', 'Logout')], action: 'E' },
  'sessions.breakGlass': {
    type: SECURITY_ALERT,
    subtypes: [dicom('110127', 'Emergency Override Started')],
    action: 'E',
  },
  'audit.export': { type: dicom('110106', 'Export'), subtypes: [], action: 'R' },
  'audit.drop': { type: AUDIT_LOG_USED, subtypes: [], action: 'D' },
};

/** An operation that an older version recorded, or the service itself, is executed. */
export function kindOf(operation: string): Kind {
  const known = KINDS[operation];
  if (known) return known;
  const fact = Object.entries(OPERATIONS).find(([name]) => name === operation)?.[1];
  const action = fact?.method === 'GET' ? 'R' : actionOf(operation.split('.')[1] ?? '');
  return { type: operation.startsWith('audit.') ? AUDIT_LOG_USED : REST, subtypes: [], action };
}

function actionOf(verb: string): Kind['action'] {
  if (['create', 'add'].includes(verb)) return 'C';
  return verb.startsWith('set') ? 'U' : 'E';
}
