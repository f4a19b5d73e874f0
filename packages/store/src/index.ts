export { migrate } from './migrations/migrate.ts';
export { OtherSchemaError } from './migrations/create-schema.ts';
export { parseDatabaseAddress } from './connection/client/database-address.ts';
export { openStore, type Store, type StoreOptions } from './open-store.ts';
export { isIssuedId } from './issued-id.ts';
export { type Page, type PageOptions } from './page.ts';
export { listen } from './connection/listen.ts';
export { removeExpired } from './remove-expired.ts';
export { isDatabaseUnavailable } from './connection/is-database-unavailable.ts';
export { checkDatabase } from './health/check-database.ts';
export { checkWritable } from './health/check-writable.ts';
export { findConnectionLimit } from './health/find-connection-limit.ts';
export { measureSnapshots } from './health/measure-snapshots.ts';
export { whoConfirmsCommits } from './health/who-confirms-commits.ts';

// Months.
export { countMonthsAhead, makeMonths } from './months/make-months.ts';
export { listMonths } from './months/list-months.ts';
export { isMonth } from './months/month.ts';

// Encryption.
export { WrongMasterKeyError, createMasterKey, parseMasterKeys } from './encryption/master-keys.ts';
// Access.
export { createApiKeyText, mayBeApiKey } from './access/keys/api-key-text.ts';
export { type Actor, type Caller } from './access/caller.ts';
export { countExpiringKeys } from './access/keys/count-expiring-keys.ts';
export { createAccount } from './access/accounts/create-account.ts';
export { type ApiKeyFault, createApiKey } from './access/keys/create-api-key.ts';
export { DEFAULT_ACCOUNT_ID, ensureDefaultAccount } from './access/accounts/ensure-default-account.ts';
export { findApiKey, type LiveKey } from './access/keys/find-api-key.ts';
export { listAccounts } from './access/accounts/list-accounts.ts';
export { listApiKeys } from './access/keys/list-api-keys.ts';
export { type AuditSearch, exportAudit, listAudit } from './reading/list-audit.ts';
export { listReaders } from './reading/list-readers.ts';
export { replaceFirstKey } from './access/keys/replace-first-key.ts';
export { revokeApiKey } from './access/keys/revoke-api-key.ts';
export { rotateWebhookSecret } from './access/accounts/rotate-webhook-secret.ts';
export { resumeAccount, suspendAccount } from './access/accounts/suspend-account.ts';
export { createDemoAccounts, removeDemoAccounts } from './demo/demo-accounts.ts';
export { findTestAccount } from './access/accounts/find-test-account.ts';
export { withTestAccounts } from './access/accounts/with-test-accounts.ts';
export { COVERED_TABLES } from './row-macs/covered-columns.ts';
export { type AlteredRow } from './row-macs/row-macs.ts';
export { getWebhookSecret } from './access/accounts/webhook-secrets.ts';

// The sealed audit.
export { compareNotes, type NoteFault } from './audit/verifying/compare-notes.ts';
export { listSeals } from './audit/sealing/list-seals.ts';
export { verifyAudit } from './audit/verifying/verify-audit.ts';
export { archiveMonth } from './audit/dropped/archive-month.ts';
export { type DroppedMonth, dropMonth } from './audit/dropped/drop-month.ts';
export { type DroppedLines, type DropSigning } from './audit/dropped/prepare-drop.ts';
export { type Difference } from './audit/kept/hold-against-file.ts';
export { resumeSealing } from './audit/kept/resume-sealing.ts';
export { openSealFile, readKeptNote } from './audit/kept/seal-file.ts';
export { isResumeReason, readResumeText, type ResumeStatement } from './audit/note/resume-text.ts';
export { openNote } from './audit/note/signed-note.ts';
export { countUnsealed, measureUnsealed } from './audit/sealing/measure-unsealed.ts';
export {
  createSealKey,
  readSealKey,
  readVerifierKey,
  type SealKey,
  type VerifierKey,
} from './audit/note/keys.ts';
export { type DropStatement, isDropper } from './audit/note/note-text.ts';
export { sealLines, type SealedLines } from './audit/sealing/seal-lines.ts';
export { type SealMemory } from './audit/sealing/unwritten-seal.ts';
export { type LockHolder } from './audit/lines/find-lock-holders.ts';
export { findMissingHolds, type MissingHold } from './audit/verifying/find-missing-holds.ts';
export { type NotSecond } from './access/two-people.ts';
export { type BadTable, checkCatalogue, TABLE_FAULTS } from './audit/verifying/check-catalogue.ts';
export { toAlteredWhenSealed, toAuditDrop, toBadRange, toMissingHold } from './audit/verifying/to-verdict.ts';
export { type BadRange } from './audit/verifying/bad-range.ts';
export { type AlteredWhenSealed, type SealsVerdict, verifySeals } from './audit/verifying/verify-seals.ts';
export { reachesSeals } from './audit/reaches-seals.ts';
export { withAudit } from './audit/with-audit.ts';

// Staff.
export { addStaff } from './staff/people/add-staff.ts';
export { breakGlass } from './staff/sessions/break-glass.ts';
export { createSignInLink } from './staff/sign-in/create-sign-in-link.ts';
export { endSession } from './staff/sessions/end-session.ts';
export { endStaff } from './staff/people/end-staff.ts';
export { ensureFirstStaff, FIRST_STAFF_ID } from './staff/people/ensure-first-staff.ts';
export { findSignInLink } from './staff/sign-in/find-sign-in-link.ts';
export { findSession, type LivePerson } from './staff/sessions/find-session.ts';
export { findOwnAccounts } from './access/accounts/find-own-accounts.ts';
export { listSessions } from './staff/sessions/list-sessions.ts';
export { listStaff } from './staff/people/list-staff.ts';
export { notifyConsoles } from './staff/notify-consoles.ts';
export { addPasskey, PASSKEY_COUNT_MAX } from './staff/passkeys/add-passkey.ts';
export { beginPasskey } from './staff/passkeys/begin-passkey.ts';
export { endPasskey } from './staff/passkeys/end-passkey.ts';
export { findPasskey } from './staff/passkeys/find-passkey.ts';
export { type KeptCredential } from './staff/passkeys/kept-credential.ts';
export { listPasskeys } from './staff/passkeys/list-passkeys.ts';
export { CHALLENGE_MINUTES, sealChallenge, takeChallenge } from './staff/passkeys/passkey-challenge.ts';
export { signInByPasskey } from './staff/passkeys/sign-in-by-passkey.ts';
export { LOGIN_MINUTES, type LoginSecrets, openLogin, sealLogin } from './staff/provider/login-secrets.ts';
export { type ProvenIdentity, signInByProvider } from './staff/provider/sign-in-by-provider.ts';
export { signOutByProvider } from './staff/provider/sign-out-by-provider.ts';
export { type SessionStanding, standingOfSessions } from './staff/sessions/standing-of-sessions.ts';
export { getSettings } from './staff/settings/get-settings.ts';
export { setSettings } from './staff/settings/set-settings.ts';
export { setStaffRoles } from './staff/people/set-staff-roles.ts';
export { recordRefusedSignIn, type RefusedSignIn } from './staff/sign-in/record-refused-sign-in.ts';
export { signIn } from './staff/sign-in/sign-in.ts';
export { signOut } from './staff/sessions/sign-out.ts';

// Retention.
export { getAccountRetention } from './retention/account-retention.ts';
export { eraseDue, type ErasedBatch } from './retention/erase-due.ts';
export { askErasure } from './retention/erasure/ask-erasure.ts';
export { confirmErasure } from './retention/erasure/confirm-erasure.ts';
export { listErasures } from './retention/erasure/list-erasures.ts';
export { endHold } from './retention/holds/end-hold.ts';
export { listHolds } from './retention/holds/list-holds.ts';
export { placeHold } from './retention/holds/place-hold.ts';
export { measureErasure } from './retention/measure-erasure.ts';
export { confirmAccountRetention, setAccountRetention } from './retention/set-account-retention.ts';

// Limits.
export { type StoredLimits, getAccountLimits } from './limits/account-limits.ts';
export { setAccountLimits } from './limits/set-account-limits.ts';
export { type Quota } from './tables/quota.ts';
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
export { countRequests } from './reading/count-requests.ts';
export { listRequests } from './reading/list-requests.ts';
export { searchRequests } from './reading/search/search-requests.ts';
export { revealRequest } from './reading/view/reveal-request.ts';
export { viewRequest } from './reading/view/view-request.ts';

// Verification.
export { holdPayerSlots } from './verification/hold-payer-slots.ts';
export { advanceWork, type OverduePlace } from './verification/overdue/advance-work.ts';
export { claimRequest, retakeLease } from './verification/work/claim-request.ts';
export { claimWork, countClaimable, type ClaimedWork, notifyWork } from './verification/work/claim-work.ts';
export { failWork, heartbeatWork, releaseWork, postponeSandbox } from './verification/work/work-lease.ts';
export { endCall, startCall } from './verification/work/calls.ts';
export { listAttempts } from './reading/evidence/list-attempts.ts';
export { measureWork, measureResponseTimes } from './verification/measure-work.ts';
export { type Route } from './tables/route.ts';
export {
  type Mismatch,
  type SubmittedWork,
  submitWork,
  type WorkSubmission,
} from './verification/work/submit-work.ts';
export { discardDraft, getDraft, listDrafts, saveDraft } from './verification/drafts.ts';
export { listOwnDone, measureOwnDay } from './verification/own-work.ts';
export { listX12Exchanges } from './reading/evidence/list-x12-exchanges.ts';
export {
  keepX12Exchanges,
  nextX12ControlNumbers,
  readX12Exchanges,
  type PlainX12Exchange,
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
export { getBenefits } from './reading/get-benefits.ts';
export { getProof } from './reading/proof/get-proof.ts';
export { getResult } from './reading/get-result.ts';
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
export { getDelivery } from './reading/deliveries/get-delivery.ts';
export { listDeliveries } from './reading/deliveries/list-deliveries.ts';
export { searchDeliveries } from './reading/deliveries/search-deliveries.ts';
export { type LocalWorker, type Reservation } from './delivery/direct-handoff.ts';
export { measureDeliveryQueue, refreshQueueDepths } from './facts/queue-depths.ts';
export { redeliver } from './delivery/redeliver.ts';
export { type BreakerChange, noteBreaker, tryReceiver } from './delivery/receivers.ts';
export { listReceivers } from './reading/deliveries/list-receivers.ts';
export { redeliverExhausted } from './delivery/redeliver-exhausted.ts';
export { redeliverMatching } from './delivery/redeliver-matching.ts';
export { ACCOUNT_COUNT_MAX, keepShards, SHARD_COUNT, type ShardsKept } from './delivery/keep-shards.ts';

// Facts.
export { type CountedFacts, countFacts } from './facts/count-facts.ts';
export { readReport } from './facts/read-report.ts';
// The embedded server.
export { EmbeddedServerError } from './embedded-server/embedded-server-error.ts';
export { findEmbeddedServer } from './embedded-server/find-embedded-server.ts';
export { keepSecret } from './embedded-server/cluster/keep-secret.ts';
export { type EmbeddedServer, startEmbeddedServer } from './embedded-server/start-embedded-server.ts';
export { backUpDataDir } from './backup/back-up-data-dir.ts';
export { type Restored, restoreDataDir } from './backup/restore-data-dir.ts';
