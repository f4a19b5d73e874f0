/** As far as a line of the audit fills it: https://hl7.org/fhir/R4/auditevent.html */
export interface AuditEvent {
  readonly resourceType: 'AuditEvent';
  readonly id: string;
  readonly type: Coding;
  readonly subtype: readonly Coding[];
  readonly action: 'C' | 'R' | 'U' | 'D' | 'E';
  readonly recorded: string;
  readonly outcome: '0';
  readonly purposeOfEvent?: readonly { readonly coding: readonly Coding[]; readonly text?: string }[];
  readonly agent: readonly Agent[];
  readonly source: { readonly observer: Reference; readonly type: readonly Coding[] };
  readonly entity?: readonly Entity[];
}

/** A code, and the system it is of. */
export interface Coding {
  readonly system: string;
  readonly code: string;
  readonly display?: string;
}

/** A reference by what the service calls it: no FHIR server of ours has the resource. */
interface Reference {
  readonly type?: string;
  readonly identifier?: { readonly system: string; readonly value: string };
  readonly display?: string;
}

/** Who acted, or for which account. */
export interface Agent {
  readonly type?: { readonly coding: readonly Coding[] };
  readonly who: Reference;
  readonly requestor: boolean;
}

/** What was acted on. */
export interface Entity {
  readonly what: Reference;
  readonly type: Coding;
  readonly role: Coding;
}
