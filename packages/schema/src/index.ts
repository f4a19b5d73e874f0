export { createSchemas, type Schemas } from './create-schemas.ts';
export { createJsonSchemas, type JsonSchema, SPEC_MODEL_NAMES, type SpecModelName } from './json-schemas.ts';
export { assertPayerNames, DEFAULT_PAYERS, type PayerNames } from './payers.ts';

// The models that contain a payer, over the placeholder payers.
export {
  ChannelStats,
  ClaimWork,
  defaultSchemas,
  DraftList,
  FoundCoverage,
  HeldComparison,
  HeldOutputDetail,
  InsurancePlanData,
  ListedDraft,
  Payer,
  PayerInfo,
  PlanInfo,
  RequestInfo,
  RequestList,
  RequestModel,
  RequestView,
  ResponseModel,
  SubmitWork,
  VerificationProof,
  WorkItem,
  WorkItemList,
  WorkPayer,
  WorkPayerList,
  WorkStats,
} from './default-schemas.ts';

// Whether two patients are one.
export { birthDateReadings } from './patient/birth-date-readings.ts';
export { initialsOf } from './patient/initials-of.ts';
export {
  type ComparedPatient,
  comparePatients,
  givenFields,
  type PatientComparison,
  type PatientField,
} from './patient/compare-patients.ts';

// Intake.
export {
  CloseReason,
  CloseRequest,
  ListRequests,
  RequestReader,
  RequestReaderList,
  RequestStats,
  SearchRequests,
} from './contract/requests.ts';
export { ErasedRequest } from './intake/search/request-list.ts';
export { doubtfulMembers } from './intake/info/doubtful-members.ts';
export { PatientInfo } from './intake/info/patient-info.ts';
export {
  ListedPayer,
  PayerCandidate,
  PayerCandidateList,
  PayerList,
  PayerMatch,
  ResolvePayer,
} from './contract/payers.ts';
export { ProviderInfo } from './intake/info/provider-info.ts';
export { RequestRef } from './intake/request-ref.ts';
export { RequestAnswer, RequestSummary, RequestSummaryList } from './intake/search/request-summary.ts';
export { ResultVersion, X12ExchangeSummary } from './intake/request-view.ts';

// Verification.
export { AttemptResult } from './verification/evidence/attempt-result.ts';
export { EligibilityStatus } from './verification/eligibility-status.ts';
export { ErrorReason } from './reason/error-reason.ts';
export { ERROR_REASONS, type ErrorReasonFact } from './reason/error-reasons.ts';
export { FailedStatus, FailedWork, FailureReason, FailWork } from './verification/work/fail-work.ts';
export { FieldProvenance } from './verification/evidence/field-provenance.ts';
export {
  ClaimRequest,
  DoneWork,
  DoneWorkList,
  HeartbeatWork,
  ReleasedWork,
  ReleaseWork,
  RenewedLease,
  StartCall,
  WorkDay,
  WorkDayStart,
} from './contract/work.ts';
export { PayersFile } from './verification/payers-file.ts';
export {
  PayerResponseTimes,
  Report,
  ReportMonth,
  ReportQuery,
  ReportRow,
  ReportStep,
  ReportSubject,
  ResponseTimesReport,
} from './contract/reports.ts';
export { SANDBOX_MEMBER_IDS, type SandboxOutcome } from './verification/sandbox-members.ts';
export { SubmittedWork } from './verification/work/submit-work.ts';
export { FixedBy } from './reason/fixed-by.ts';
export {
  VerificationAttempt,
  VerificationAttemptList,
} from './verification/evidence/verification-attempt.ts';
export { VerificationSource } from './verification/verification-source.ts';
export { CountWork, FailureCount } from './verification/work/work-stats.ts';
export { X12Exchange, X12ExchangeList } from './verification/evidence/x12-exchange.ts';

export * from './benefits/index.ts';

// Sheets.
export { SheetAnswer, SheetName, SheetRow } from './verification/sheet/sheet-row.ts';
export { SHEETS } from './verification/sheet/sheets.ts';

// Drafts.
export {
  AdoptDraft,
  DiscardDraft,
  DiscardedDraft,
  Draft,
  RequestDrafts,
  SavedDraft,
  SaveDraft,
} from './contract/drafts.ts';

// Output.
export {
  ApplyHeldOutput,
  DismissedHeldOutputs,
  DismissHeldOutput,
  DismissHeldOutputs,
  DismissReceipt,
  HeldStats,
  ListHeldOutputs,
} from './contract/held-outputs.ts';
export { ClearedDemoDay, DemoDay } from './contract/demo.ts';
export { AskedMember } from './output/asked-member.ts';
export { ResultMember } from './output/result-member.ts';
export {
  CompareHeldOutput,
  ComparedValue,
  FailedTest,
  HeldDecision,
  ValueDifference,
} from './output/held-comparison.ts';
export { HeldOutput, HeldOutputList } from './output/held-output.ts';
export { HeldStatus } from './output/held-output-detail.ts';
export { HeldOutputSummary } from './output/held-output-summary.ts';
export { HeldReason } from './output/held-reason.ts';
export { OutputReceipt, OutputStatus } from './output/output-receipt.ts';
export { DeliveryReceipt, ResultSeal } from './output/verification-proof.ts';

// Delivery.
export { AttemptOutcome } from './delivery/attempt-outcome.ts';
export { Delivery, DeliveryList, DeliveryStatus } from './delivery/delivery.ts';
export { DeliveryAttempt } from './delivery/delivery-attempt.ts';
export {
  DeliveryDetail,
  DeliveryRef,
  DeliverySummary,
  DeliverySummaryList,
  ListDeliveries,
  RedeliveredExhausted,
  RedeliveredMatching,
  RedeliverExhausted,
  RedeliverMatching,
} from './contract/deliveries.ts';
export { Receiver, ReceiverList, TriedReceiver, TryReceiver } from './contract/receivers.ts';

// Access.
export { Account, AccountKind, AccountList, AccountMode } from './access/accounts/account.ts';
export { AccountLimits, LimitPolicy, PolicyLimit } from './access/accounts/account-limits.ts';
export {
  AccountRef,
  AccountRetention,
  AskAccountRetention,
  AskedRetention,
  ConfirmRetention,
  CreateAccount,
  NewQuota,
  RetentionChange,
  SetAccountLimits,
  SetAccountRetention,
} from './contract/accounts.ts';
export { ApiKey, ApiKeyList, CreateApiKey, CreatedApiKey, ListKeys } from './contract/keys.ts';
export { AuditExport, AuditFormat, AuditLine, AuditList, ExportAudit, ListAudit } from './contract/audit.ts';
export {
  AlteredWhenSealed,
  MissingHold,
  AuditDrop,
  AuditFault,
  AuditSeal,
  AuditSealList,
  SealingStop,
  AuditVerification,
  BadRange,
  BadTable,
  ListSeals,
  LockHolder,
  VerifyAudit,
} from './audit/audit-seal.ts';
export { VerifyWithin } from './access/verify-within.ts';
export { Scope } from './access/scope.ts';
export { WebhookSecret } from './contract/webhook-secret.ts';

// Reports.

// Staff.
export {
  AddedStaff,
  AddStaff,
  SetStaffRoles,
  SignInLink,
  StaffLink,
  StaffList,
  StaffMember,
  StaffRef,
} from './contract/people.ts';
export { type ConsoleHints, type Hint, HINTS } from './staff/console-hints.ts';
export { DEFAULT_KEYS, type KeyedAction, keysOf, sharesKey } from './staff/keyed-action.ts';
export {
  AddPasskey,
  BegunPasskey,
  EndedPasskey,
  NewCredential,
  Passkey,
  PasskeyList,
  PasskeyOptions,
  PasskeyRef,
} from './contract/passkeys.ts';
export { Density, SetSettings, Settings } from './contract/settings.ts';
export { SIGN_IN_REFUSALS, type SignInRefusal } from './staff/sign-in-refusal.ts';
export { StaffRole } from './staff/staff-role.ts';
export {
  BreakGlass,
  EmergencyAccess,
  EndedSession,
  FindAccounts,
  Myself,
  SessionRef,
  StaffSession,
  StaffSessionList,
} from './contract/sessions.ts';

// Shared by the stages.
export { date } from './field/date/date.ts';
export { dateTime } from './field/date/date-time.ts';
export { httpUrl } from './field/url/http-url.ts';
export {
  ConfirmErasure,
  CopyKind,
  CopyLeft,
  ErasedBecause,
  ErasedCounts,
  EraseRequest,
  Erasure,
  ErasureCertificate,
  ErasureList,
  ErasureReason,
  ListedErasure,
} from './retention/erasure.ts';
export { LegalHold, LegalHoldList, PlaceHold, StandingHold } from './retention/legal-hold.ts';
export { ListPage } from './page/list-page.ts';
export { ListOrder } from './page/page-fields.ts';
export { HeldLease } from './problem/held-lease.ts';
export { Problem } from './problem/problem.ts';
export { NOTHING_HERE, type ProblemMembers, problemOf, problemType } from './problem/problem-of.ts';
export type { ProblemFact } from './problem/problem-fact.ts';
export { PROBLEMS, type ProblemCode } from './problem/problem-registry.ts';
export type { ProblemTrpcCode } from './problem/trpc-codes.ts';
export { integerFromQuery } from './field/integer-from-query.ts';
export {
  type DeliveryFact,
  errorReasonOf,
  type ErrorReasonFacts,
  type Outcome,
  RequestState,
  stateOf,
} from './request-state.ts';
export { FAULT_COUNT_MAX, list } from './field/list.ts';
export { escapeHidden } from './text/escape-hidden.ts';
export { FORMULA } from './text/formula.ts';
export { toValidationErrors } from './fault/to-validation-errors.ts';
export { HTTPValidationError, ValidationError } from './fault/validation-error.ts';
