export { createSchemas, type Schemas } from './create-schemas.ts';
export { createJsonSchemas, type JsonSchema, SPEC_MODEL_NAMES, type SpecModelName } from './json-schemas.ts';
export { assertPayerNames, DEFAULT_PAYERS, type PayerNames } from './payers.ts';
// The models that contain a payer, over the placeholder payers.
export {
  BatchResult,
  BatchResultList,
  BatchRow,
  ChannelStats,
  ClaimWork,
  CreateBatch,
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
  SeedKnownAnswer,
  SubmitWork,
  CorrectWork,
  VerificationProof,
  WorkItem,
  WorkItemList,
  WorkPayer,
  WorkPayerList,
  WorkStats,
} from './default-schemas.ts';

// Whether two patients are one.
export { birthDateReadings } from './patient/birth-date-readings.ts';
export { initialsOf } from './patient/person-name.ts';
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
export {
  ErasedRequest,
  RequestAnswer,
  PayerWait,
  RequestSummary,
  RequestSummaryList,
  RequestRef,
  ResultVersion,
  X12ExchangeSummary,
} from './intake/request-view.ts';
export { doubtfulMembers, PatientInfo, ProviderInfo } from './intake/request-info.ts';
export { judgeGender, judgeNeededBy, judgeServiceDate } from './intake/asked-when.ts';

// Batches.
export {
  Batch,
  BATCH_BYTES_MAX,
  BATCH_LIST_ROWS_MAX,
  BATCH_ROWS_MAX,
  BatchCounters,
  BatchWait,
  BatchList,
  BatchMode,
  BatchOutcome,
  BatchRef,
  BatchRowError,
  BatchRowErrorList,
  BatchRowOutcome,
  BatchState,
  ReceivedBatch,
} from './intake/batch.ts';
export { BatchTemplate, ListBatchErrors, ListBatchResults } from './contract/batches.ts';
export { type BatchDefaults, judgeBatchRow, type JudgedRow } from './intake/batch-row.ts';
export {
  BATCH_COLUMNS,
  type BatchColumn,
  batchColumnsOf,
  batchExampleRow,
  CELL_COUNT_FAULT,
  REFERENCE_TWICE_FAULT,
  rowOfCells,
  type SpreadsheetDoubt,
  spreadsheetDoubt,
} from './intake/batch-columns.ts';
export { BatchCsvReader, type BatchCsvRow } from './intake/batch-csv.ts';
export { BATCH_RESULT_COLUMNS } from './intake/batch-result-columns.ts';

export {
  ListedPayer,
  PayerCandidate,
  PayerCandidateList,
  PayerList,
  PayerMatch,
  ResolvePayer,
} from './contract/payers.ts';
// Verification.
export {
  AttemptResult,
  FieldProvenance,
  VerificationAttempt,
  VerificationAttemptList,
  X12Exchange,
  X12ExchangeList,
} from './verification/evidence.ts';
export { EligibilityStatus, VerificationSource } from './verification/insurance-plan-data.ts';
export { ResultCorrection, VerificationRecord } from './verification/verification-record.ts';
export { ErrorReason, FixedBy } from './error-reason.ts';
export { ERROR_REASONS, type ErrorReasonFact } from './error-reasons.ts';
export { FailedStatus, FailedWork, FailureReason, FailWork, SubmittedWork } from './verification/work.ts';
export { OpenTime, PayerPhone } from './verification/work.ts';
export { CorrectedWork } from './contract/corrections.ts';
export { DoneWork, DoneWorkList, OwnCorrection, WorkDay, WorkDayStart } from './contract/own-day.ts';
export {
  CallBack,
  CallBackBy,
  CallBackItem,
  CallBackKeptFor,
  CallBackList,
  ParkedWork,
} from './contract/call-backs.ts';
export {
  ClaimRequest,
  HeartbeatWork,
  ReleasedWork,
  ReleaseWork,
  RenewedLease,
  StartCall,
} from './contract/work.ts';
export { PayersFile } from './verification/payers-file.ts';
export {
  AskedCodesQuery,
  AskedCodesReport,
  CodeFigures,
  InquirySetting,
  PayerAskedCodes,
  PayerResponseTimes,
  Report,
  ReportMonth,
  ReportQuery,
  ReportRow,
  ReportStep,
  ReportSubject,
  ResponseTimesReport,
} from './contract/reports.ts';
export {
  AccuracyQuery,
  AccuracyReport,
  FieldAccuracy,
  KnownAnswer,
  KnownCode,
  KnownField,
  SeededRequest,
  SeededRequestList,
} from './output/known-answer.ts';
export { SANDBOX_MEMBER_IDS, type SandboxOutcome } from './verification/sandbox-members.ts';
export { CountWork, FailureCount } from './verification/work-stats.ts';
export * from './benefits/index.ts';
export { SheetAnswer, SheetName, SheetRow } from './verification/sheet/sheet-row.ts';
export { SHEETS } from './verification/sheet/sheets.ts';

export {
  DiscardDraft,
  DiscardedDraft,
  Draft,
  RequestDraft,
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
export {
  AskedMember,
  ResultMember,
  HeldOutput,
  HeldOutputList,
  HeldCorrection,
  HeldStatus,
  HeldOutputSummary,
  HeldReason,
} from './output/held-output.ts';
export {
  CompareHeldOutput,
  ComparedValue,
  FailedTest,
  HeldDecision,
  ValueDifference,
} from './output/held-comparison.ts';
export { OutputReceipt, OutputStatus } from './output/response-model.ts';
export { DeliveryReceipt, ResultSeal } from './output/verification-proof.ts';

// Delivery.
export {
  EndpointDisabledReason,
  EventAttempt,
  EventData,
  EventDelivery,
  EventType,
  ListedEvent,
  WebhookEvent,
} from './event.ts';
export { AttemptOutcome, Delivery, DeliveryList, DeliveryStatus, DeliveryAttempt } from './delivery.ts';
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
export { ListReceivers, Receiver, ReceiverList, TriedReceiver, TryReceiver } from './contract/receivers.ts';

// Access.
export {
  Account,
  AccountKind,
  AccountList,
  AccountMode,
  AccountLimits,
  LimitPolicy,
  PolicyLimit,
} from './access/account.ts';
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
export {
  ApiKey,
  ApiKeyList,
  CreateApiKey,
  CreatedApiKey,
  ListKeys,
  RevokeApiKey,
  RevokedApiKey,
} from './contract/keys.ts';
export { AuditExport, AuditFormat, AuditLine, AuditList, ExportAudit, ListAudit } from './contract/audit.ts';
export {
  AlteredWhenSealed,
  MissingHold,
  AuditDrop,
  AuditFault,
  AuditSeal,
  AuditSealList,
  SealingStop,
  SealRecord,
  AuditVerification,
  BadRange,
  BadTable,
  ListSeals,
  LockHolder,
  VerifyAudit,
} from './audit/audit-seal.ts';
export { VerifyWithin, Scope } from './access/scope.ts';
export {
  CreatedEndpoint,
  CreateEndpoint,
  Endpoint,
  EndpointList,
  EndpointReach,
  EndpointRef,
  RecoveredEndpoint,
  RecoverEndpoint,
  TestedEndpoint,
  UpdateEndpoint,
} from './contract/endpoints.ts';
export { EventList, ListEvents } from './contract/events.ts';
export { WebhookSecret } from './contract/webhook-secret.ts';

// Reports.

// Staff.
export {
  AddedStaff,
  AddStaff,
  EndedStaffMember,
  EndStaff,
  SetStaffRoles,
  SignInLink,
  StaffLink,
  StaffList,
  StaffMember,
  ListedStaffMember,
  StaffRef,
} from './contract/people.ts';
export { StaffRole } from './staff-role.ts';
export { type ConsoleHints, type Hint, HINTS, SIGN_IN_REFUSALS, type SignInRefusal } from './staff.ts';
export {
  AddPasskey,
  BegunPasskey,
  EndedPasskey,
  NewCredential,
  FindPasskeys,
  Passkey,
  PasskeyList,
  PasskeyOptions,
  PasskeyRef,
} from './contract/passkeys.ts';
export { Density, SetSettings, Settings } from './contract/settings.ts';
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
export { date, dateTime } from './field/date.ts';
export { httpUrl } from './field/http-url.ts';
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
export { ListPage, ListOrder } from './page.ts';
export {
  CallPlace,
  HeldLease,
  Problem,
  NOTHING_HERE,
  type ProblemMembers,
  problemOf,
  problemType,
} from './problem/problem.ts';
export {
  type ProblemFact,
  type ProblemTrpcCode,
  PROBLEMS,
  type ProblemCode,
} from './problem/problem-registry.ts';
export { integerFromQuery } from './field/text-and-number.ts';
export {
  type DeliveryFact,
  errorReasonOf,
  type ErrorReasonFacts,
  type Outcome,
  RequestState,
  stateOf,
} from './request-state.ts';
export { FAULT_COUNT_MAX, list } from './field/list.ts';
export { escapeHidden, FORMULA } from './text.ts';
export { toValidationErrors, HTTPValidationError, ValidationError } from './fault/validation-errors.ts';
