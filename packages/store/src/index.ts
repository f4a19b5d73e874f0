export { migrate } from './migrations/migrate.ts';
export { OtherSchemaError } from './migrations/create-schema.ts';
export { parseDatabaseAddress } from './connection/database-address.ts';
export { openStore, type Store, type StoreOptions } from './open-store.ts';
export { isIssuedId } from './issued-id.ts';
export { type Page, type PageOptions } from './page.ts';
export { listen } from './connection/listen.ts';
export { removeExpired } from './remove-expired.ts';
export { isDatabaseUnavailable } from './connection/is-database-unavailable.ts';
export { noteTimeline, type TimelineNote } from './connection/timeline.ts';
export { groupCommit } from './commits/group-commit.ts';
export { isOfPageWatch } from './commits/page-watch.ts';
export type { PageFault } from './connection/primary.ts';
export {
  checkDatabase,
  checkWritable,
  findConnectionLimit,
  measureSnapshots,
  whoConfirmsCommits,
} from './health.ts';
export { type ChannelHour, readChannelHours } from './verification/channel-hour.ts';
// Batches.
export {
  addBatchRows,
  type BatchReceiver,
  type BatchRowSent,
  beginBatch,
  completeBatch,
  findOtherRow,
  leaveBatch,
  renewReceiver,
  type RowRequest,
} from './batches/receive-batch.ts';
export { acceptStaged, cancelBatch, endBatches, endIfOver, keepBatches } from './batches/end-batches.ts';
export {
  type BatchRowResult,
  getBatch,
  listBatches,
  listBatchErrors,
  listBatchResults,
} from './batches/read-batches.ts';
// Months.
export { countMonthsAhead, makeMonths } from './months/make-months.ts';
export { listMonths, isMonth } from './months/log-parts.ts';
// Encryption.
export { WrongMasterKeyError, createMasterKey, parseMasterKeys } from './encryption/master-keys.ts';
// Access.
export { createApiKeyText, mayBeApiKey, findApiKey, type LiveKey } from './access/find-api-key.ts';
export { type Actor, type Caller } from './access/caller.ts';
export {
  countExpiringKeys,
  type ApiKeyFault,
  createApiKey,
  listApiKeys,
  revokeApiKey,
} from './access/api-keys.ts';
export { createAccount, withTestAccounts } from './access/create-account.ts';
export { DEFAULT_ACCOUNT_ID, ensureDefaultAccount, replaceFirstKey } from './access/ensure-accounts.ts';
export { listAccounts, findTestAccount, findOwnAccounts } from './access/list-accounts.ts';
export { type AuditSearch, exportAudit, listAudit } from './reading/list-audit.ts';
export { listReaders } from './reading/list-readers.ts';
export { rotateWebhookSecret, getWebhookSecret } from './access/webhook-secrets.ts';
export { resumeAccount, suspendAccount } from './access/suspend-account.ts';
export { keepEnded, reportExpiringKeys } from './access/end-holder.ts';
export { findLiveKeys } from './access/live-holder.ts';
export { createDemoAccounts, removeDemoAccounts } from './demo/demo-accounts.ts';
export { COVERED_TABLES } from './row-macs/covered-columns.ts';
export { type AlteredRow } from './row-macs/row-macs.ts';
// The sealed audit.
export {
  compareNotes,
  type NoteFault,
  verifyAudit,
  toAlteredWhenSealed,
  toAuditDrop,
  toBadRange,
  toMissingHold,
} from './audit/verify-audit.ts';
export { listSeals, reachesSeals } from './audit/stored-seal.ts';
export { archiveMonth } from './audit/archive-month.ts';
export { type DroppedMonth, dropMonth } from './audit/drop-month.ts';
export { type DroppedLines, type DropSigning } from './audit/prepare-drop.ts';
export { type Difference } from './audit/hold-against-file.ts';
export { resumeSealing } from './audit/resume-sealing.ts';
export type { KeptErasure } from './audit/erasure-file.ts';
export { openSealFile, readKeptNote } from './audit/seal-file.ts';
export { isResumeReason, readResumeText, type ResumeStatement } from './audit/resume-text.ts';
export { openNote, type DropStatement, isDropper } from './audit/note-text.ts';
export { countUnsealed, measureUnsealed } from './audit/measure-unsealed.ts';
export { createSealKey, readSealKey, readVerifierKey, type SealKey, type VerifierKey } from './audit/keys.ts';
export { sealLines, type SealedLines, type SealMemory } from './audit/seal-lines.ts';
export { type LockHolder } from './audit/settled-through.ts';
export { findMissingHolds, type MissingHold, type BadRange } from './audit/check-seal.ts';
export { type NotSecond } from './access/two-people.ts';
export { type BadTable, checkCatalogue, TABLE_FAULTS } from './audit/check-catalogue.ts';
export { type AlteredWhenSealed, type SealsVerdict, verifySeals } from './audit/verify-seals.ts';
export { withAudit } from './audit/with-audit.ts';

// Staff.
export { addStaff, endStaff, ensureFirstStaff, FIRST_STAFF_ID, listStaff } from './staff/people.ts';
export { breakGlass } from './staff/break-glass.ts';
export { type SignInWay } from './access/record-access.ts';
export {
  createSignInLink,
  findSignInLink,
  recordRefusedSignIn,
  type RefusedSignIn,
  signIn,
} from './staff/sign-in-link.ts';
export { endSession, signOut } from './staff/end-session.ts';
export {
  findSession,
  type LivePerson,
  type SessionStanding,
  standingOfSessions,
} from './staff/find-session.ts';
export { listSessions } from './staff/sessions.ts';
export { notifyConsoles } from './staff/notify-consoles.ts';
export {
  addPasskey,
  type BegunPasskey,
  PASSKEY_COUNT_MAX,
  beginPasskey,
  endPasskey,
  type KeptCredential,
  listPasskeys,
  CHALLENGE_MINUTES,
  encryptChallenge,
  takeChallenge,
} from './staff/passkeys.ts';
export { findPasskey, signInByPasskey } from './staff/sign-in-by-passkey.ts';
export { beginInvitation, signInByInvitation } from './staff/sign-in-by-invitation.ts';
export {
  LOGIN_MINUTES,
  type LoginSecrets,
  openLogin,
  encryptLogin,
  signOutByProvider,
} from './staff/sign-out-by-provider.ts';
export { type ProvenIdentity, signInByProvider } from './staff/sign-in-by-provider.ts';
export { getSettings, setSettings } from './staff/settings.ts';
export { setStaffRoles } from './staff/roles.ts';
// Retention.
export { getAccountRetention } from './retention/account-retention.ts';
export { eraseDue, type ErasedBatch, measureErasure } from './retention/erase-due.ts';
export { askErasure, confirmErasure } from './retention/ask-erasure.ts';
export { listErasures } from './retention/erasures.ts';
export { endHold, listHolds, placeHold } from './retention/holds.ts';
export { confirmAccountRetention, setAccountRetention } from './retention/set-account-retention.ts';

// Limits.
export { type StoredLimits, getAccountLimits } from './limits/account-limits.ts';
export { setAccountLimits } from './limits/set-account-limits.ts';
export { type Quota } from './tables/columns.ts';
export { type BudgetGrant, type BudgetRequest, takeRateBudget } from './limits/take-rate-budget.ts';

// Intake.
export { closeRequest } from './output/close-request.ts';
export { getRequest } from './intake/read-request.ts';
export {
  type InsertedRequest,
  insertRequests,
  type NewRequest,
  replayRequest,
} from './intake/insert-requests.ts';
export { countRequests, listRequests } from './reading/list-requests.ts';
export { searchRequests } from './reading/search-requests.ts';
export { revealRequest } from './reading/reveal-request.ts';
export { viewRequest } from './reading/view-request.ts';

// Verification.
export { holdPayerSlots } from './verification/hold-payer-slots.ts';
export { advanceWork, type OverduePlace } from './verification/overdue/advance-work.ts';
export { claimRequest, retakeLease } from './verification/work/claim-request.ts';
export { claimWork, countClaimable, type ClaimedWork, notifyWork } from './verification/work/claim-work.ts';
export { correctWork } from './verification/work/correct-work.ts';
export { takeBackWork } from './verification/work/take-back.ts';
export {
  CALL_BACK_COUNT_MAX,
  CALL_BACK_DAYS,
  listCallBacks,
  planCallBack,
} from './verification/work/call-backs.ts';
export {
  failWork,
  heartbeatWork,
  releaseWork,
  retryWork,
  postponeSandbox,
} from './verification/work/work-lease.ts';
export {
  noteAnswered,
  noteUnanswered,
  type PayerOutage,
  readOutages,
  returnOneToProbe,
  takeProbes,
} from './verification/outages.ts';
export { noteAttendance } from './verification/work/choose-work.ts';
export { endCall, startCall } from './verification/work/calls.ts';
export { listAttempts, listX12Exchanges } from './reading/evidence.ts';
export { measureWork, measureResponseTimes } from './verification/measure-work.ts';
export { downtimeAt, type OpenHours, type Route, type TimeSpan } from './tables/intake.ts';
export {
  type Mismatch,
  type SubmittedWork,
  submitWork,
  type WorkSubmission,
} from './verification/work/submit-work.ts';
export { discardDraft, getDraft, listDrafts, saveDraft } from './verification/drafts.ts';
export { listOwnDone, measureOwnDay } from './verification/own-work.ts';
export {
  CODE_ANSWER_COUNT,
  type CodeAnswer,
  type CodeCounts,
  type CodeSystem,
  type ExchangeCodes,
  keepX12Exchanges,
  nextX12ControlNumbers,
  type PlainX12Exchange,
  readCodeAnswers,
  readX12Exchanges,
} from './evidence/x12-exchange.ts';

// Output.
export { type AcceptedOutput, acceptOutput, type SubmittedOutput } from './output/accept-output.ts';
export { compareHeldOutput } from './output/comparison/compare-held-output.ts';
export { applyHeldOutput, dismissHeldOutput, dismissHeldOutputs } from './output/held/settle.ts';
export {
  countHeldOutputs,
  getHeldOutput,
  type ReadHeldOutput,
  heldBy,
  listHeldOutputs,
  measureHeldOutputs,
} from './output/held/read-held.ts';
export { getBenefits, getResult } from './reading/get-result.ts';
export { getProof } from './reading/get-proof.ts';
export type {
  FoundBenefits,
  StoredBenefits,
  StoredCoverage,
  SubmittedRow,
} from './evidence/stored-benefits.ts';
// Delivery.
export {
  claimDueDeliveries,
  type ClaimPage,
  isLaneOfBatches,
  type Lane,
  type FreeSlots,
  type ClaimedDelivery,
  wakeWhenDue,
} from './delivery/claim-due-deliveries.ts';
export {
  type AfterAttempt,
  type FinishedAttempt,
  finishAttempts,
  giveUpDelivery,
} from './delivery/finish-attempts.ts';
export {
  FRUITLESS_CLAIM_COUNT_MAX,
  type Lease,
  LEASE_SECONDS,
  releaseLeases,
  renewLeases,
  setAside,
} from './delivery/leases.ts';
export { replanDeliveries } from './delivery/replan-deliveries.ts';
export { getDelivery, listDeliveries } from './reading/read-deliveries.ts';
export { searchDeliveries } from './reading/search-deliveries.ts';
export { type LocalWorker, type Reservation } from './delivery/direct-handoff.ts';
export { measureDeliveryQueue, refreshQueueDepths } from './facts/queue-depths.ts';
export { redeliver } from './delivery/redeliver.ts';
export { type BreakerChange, noteBreaker, tryReceiver } from './delivery/receivers.ts';
export { listReceivers } from './reading/list-receivers.ts';
export { redeliverExhausted } from './delivery/redeliver-exhausted.ts';
export { redeliverMatching } from './delivery/redeliver-matching.ts';
export { ACCOUNT_COUNT_MAX, keepShards, SHARD_COUNT, type ShardsKept } from './delivery/keep-shards.ts';

// Events.
export {
  countEndpointFailures,
  createEndpoint,
  endEndpoint,
  ENDPOINT_COUNT_MAX,
  getEndpoint,
  listEndpoints,
  rotateEndpoint,
  testEndpoint,
  updateEndpoint,
} from './events/endpoints.ts';
export { recoverEndpoint } from './events/recover-endpoint.ts';
export { announceWork } from './events/announce-work.ts';
export {
  endSubscription,
  findSubscription,
  subscribe,
  SUBSCRIPTION_COUNT_MAX,
  subscriptionIdOf,
  type SubscriptionKey,
} from './events/subscriptions.ts';
export { listEvents } from './events/list-events.ts';
export { writeOutageEvents } from './events/outage-events.ts';
export { writeOverdueEvents } from './events/overdue-events.ts';

// Facts.
export { type CountedFacts, countFacts } from './facts/count-facts.ts';
export { countAskedCodes, type CountedCodes } from './facts/count-asked-codes.ts';
export { readReport } from './facts/read-report.ts';
export { listKnownAnswers } from './known-answers/list-known-answers.ts';
export { measureAccuracy } from './known-answers/measure-accuracy.ts';
export { seedKnownAnswer } from './known-answers/seed-known-answer.ts';
// The embedded server.
export { startEmbeddedServer } from './schema/embedded-server.ts';
export { backUpDataDir } from './backup/back-up-data-dir.ts';
export { type Restored, restoreDataDir } from './backup/restore-data-dir.ts';
