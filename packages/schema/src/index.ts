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
export { CloseReason, CloseRequest } from './intake/close-request.ts';
export { ErasedRequest } from './intake/search/request-list.ts';
export { ListRequests } from './intake/search/list-requests.ts';
export { NotedCopy } from './intake/note-copy.ts';
export { doubtfulMembers } from './intake/info/doubtful-members.ts';
export { PatientInfo } from './intake/info/patient-info.ts';
export { ListedPayer, PayerList } from './intake/payer-list.ts';
export { ProviderInfo } from './intake/info/provider-info.ts';
export { RequestRef } from './intake/request-ref.ts';
export { RequestAnswer, RequestSummary, RequestSummaryList } from './intake/search/request-summary.ts';
export { RequestStats } from './intake/request-stats.ts';
export { ResultVersion, X12ExchangeSummary } from './intake/request-view.ts';
export { SearchRequests } from './intake/search/search-requests.ts';

// Verification.
export { AttemptResult } from './verification/evidence/attempt-result.ts';
export { EligibilityStatus } from './verification/eligibility-status.ts';
export { ErrorReason } from './reason/error-reason.ts';
export { ERROR_REASONS, type ErrorReasonFact } from './reason/error-reasons.ts';
export { FailedStatus, FailedWork, FailureReason, FailWork } from './verification/work/fail-work.ts';
export { FieldProvenance } from './verification/evidence/field-provenance.ts';
export { HeartbeatWork, RenewedLease } from './verification/work/heartbeat-work.ts';
export { StartCall } from './verification/work/start-call.ts';
export { PayersFile } from './verification/payers-file.ts';
export {
  PayerResponseTimes,
  ReportMonth,
  ResponseTimesReport,
} from './verification/evidence/response-times.ts';
export { ClaimRequest } from './verification/work/claim-request.ts';
export { ReleasedWork, ReleaseWork } from './verification/work/release-work.ts';
export { SANDBOX_MEMBER_IDS, type SandboxOutcome } from './verification/sandbox-members.ts';
export { SubmittedWork } from './verification/work/submit-work.ts';
export { FixedBy } from './reason/fixed-by.ts';
export {
  VerificationAttempt,
  VerificationAttemptList,
} from './verification/evidence/verification-attempt.ts';
export { VerificationSource } from './verification/verification-source.ts';
export { CountWork, FailureCount } from './verification/work/work-stats.ts';
export { DoneWork, DoneWorkList, WorkDay, WorkDayStart } from './verification/work/work-day.ts';
export { X12Exchange, X12ExchangeList } from './verification/evidence/x12-exchange.ts';

export * from './benefits/index.ts';

// Sheets.
export { SheetAnswer, SheetName, SheetRow } from './verification/sheet/sheet-row.ts';
export { SHEETS } from './verification/sheet/sheets.ts';

// Drafts.
export { AdoptDraft } from './draft/adopt-draft.ts';
export { DiscardDraft, DiscardedDraft } from './draft/discard-draft.ts';
export { Draft, RequestDrafts, SavedDraft } from './draft/draft.ts';
export { SaveDraft } from './draft/save-draft.ts';

// Output.
export { ApplyHeldOutput } from './output/apply-held-output.ts';
export { ClearedDemoDay, DemoDay } from './intake/demo-day.ts';
export { AskedMember } from './output/asked-member.ts';
export { ResultMember } from './output/result-member.ts';
export { DismissHeldOutput, DismissReceipt } from './output/dismiss-held-output.ts';
export { DismissedHeldOutputs, DismissHeldOutputs } from './output/dismiss-held-outputs.ts';
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
export { HeldStats } from './output/held-stats.ts';
export { ListHeldOutputs } from './output/list-held-outputs.ts';
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
} from './delivery/delivery-summary.ts';
export { ListDeliveries } from './delivery/list-deliveries.ts';
export { Receiver, ReceiverList, TriedReceiver, TryReceiver } from './delivery/receiver.ts';
export { RedeliveredExhausted, RedeliverExhausted } from './delivery/redeliver-exhausted.ts';
export { RedeliveredMatching, RedeliverMatching } from './delivery/redeliver-matching.ts';

// Access.
export { Account, AccountKind, AccountList, AccountMode } from './access/accounts/account.ts';
export { AccountLimits, LimitPolicy, PolicyLimit } from './access/accounts/account-limits.ts';
export { AccountRef } from './access/accounts/account-ref.ts';
export {
  AccountRetention,
  AskAccountRetention,
  AskedRetention,
  ConfirmRetention,
  RetentionChange,
  SetAccountRetention,
} from './access/accounts/account-retention.ts';
export { ApiKey, ApiKeyList, CreatedApiKey } from './access/keys/api-key.ts';
export { AuditExport, AuditFormat, ExportAudit } from './audit/export-audit.ts';
export { AuditLine, AuditList } from './audit/audit-line.ts';
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
export { CreateAccount } from './access/accounts/create-account.ts';
export { CreateApiKey } from './access/keys/create-api-key.ts';
export { ListKeys } from './access/keys/list-keys.ts';
export { VerifyWithin } from './access/verify-within.ts';
export { ListAudit } from './audit/list-audit.ts';
export { RequestReader, RequestReaderList } from './audit/request-readers.ts';
export { Scope } from './access/scope.ts';
export { NewQuota, SetAccountLimits } from './access/accounts/set-account-limits.ts';
export { WebhookSecret } from './access/webhook-secret.ts';

// Reports.
export { HeldInStep, HeldNow, HeldReport } from './reports/held-report.ts';
export { QueuePlace, QueueReport, ReportQueue } from './reports/queue-report.ts';
export { ReasonCount, ReasonedEvent, ReasonsReport, ReportReasons } from './reports/reasons-report.ts';
export { ReportRange, ReportStep } from './reports/report-range.ts';
export { RequestsInStep, RequestsReport } from './reports/requests-report.ts';
export { ReportTimes, TimedEvent, TimesInStep, TimesOfGroup, TimesReport } from './reports/times-report.ts';

// Staff.
export { AddStaff, SetStaffRoles, StaffRef } from './staff/add-staff.ts';
export { AddedStaff, SignInLink, StaffLink, StaffList, StaffMember } from './staff/staff-member.ts';
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
} from './staff/passkey.ts';
export { Density, SetSettings, Settings } from './staff/settings.ts';
export { SIGN_IN_REFUSALS, type SignInRefusal } from './staff/sign-in-refusal.ts';
export { StaffRole } from './staff/staff-role.ts';
export {
  BreakGlass,
  EmergencyAccess,
  EndedSession,
  Myself,
  SessionRef,
  StaffSession,
  StaffSessionList,
} from './staff/staff-session.ts';

// Shared by the stages.
export { date } from './field/date/date.ts';
export { dateTime } from './field/date/date-time.ts';
export { httpUrl } from './field/url/http-url.ts';
export { FindAccounts } from './staff/find-accounts.ts';
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
export { RECORDED_ACTIONS, type RecordedOperation } from './audit/recorded-operation.ts';
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
