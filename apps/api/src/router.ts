import type { Schemas } from '@insurance-verification/schema';
import { confirmAccountRetention } from './access/accounts/confirm-account-retention.ts';
import { createAccount } from './access/accounts/create-account.ts';
import { getAccountLimits } from './access/accounts/get-account-limits.ts';
import { getAccountRetention } from './access/accounts/get-account-retention.ts';
import { listAccounts } from './access/accounts/list-accounts.ts';
import { resumeAccount } from './access/accounts/resume-account.ts';
import { setAccountLimits } from './access/accounts/set-account-limits.ts';
import { setAccountRetention } from './access/accounts/set-account-retention.ts';
import { suspendAccount } from './access/accounts/suspend-account.ts';
import { createKey } from './access/keys/create-key.ts';
import { listKeys } from './access/keys/list-keys.ts';
import { revokeKey } from './access/keys/revoke-key.ts';
import { getWebhookSecret, rotateWebhookSecret } from './access/webhook-secret.ts';
import { exportAudit } from './audit/export/export-audit.ts';
import { listAudit } from './audit/list-audit.ts';
import { listReaders } from './audit/list-readers.ts';
import { listSeals } from './audit/list-seals.ts';
import { verifyAudit } from './audit/verify-audit.ts';
import { getDelivery } from './delivery/operations/get-delivery.ts';
import { listDeliveries } from './delivery/operations/list-deliveries.ts';
import { listReceivers } from './delivery/operations/list-receivers.ts';
import { listRequestDeliveries } from './delivery/operations/list-request-deliveries.ts';
import { redeliverExhausted } from './delivery/operations/redeliver-exhausted.ts';
import { redeliverMatching } from './delivery/operations/redeliver-matching.ts';
import { redeliverRequest } from './delivery/operations/redeliver-request.ts';
import { tryReceiver } from './delivery/operations/try-receiver.ts';
import { clearDemoDay } from './demo/clear-demo-day.ts';
import { playDemoDay } from './demo/play-demo-day.ts';
import { playDemo } from './demo/play-demo.ts';
import { closeRequest } from './intake/close-request.ts';
import { createRequest } from './intake/create-request.ts';
import { getRequest } from './intake/get-request.ts';
import { listPayers } from './intake/list-payers.ts';
import { requestStats } from './intake/request-stats.ts';
import { listRequests } from './intake/search/list-requests.ts';
import { searchRequests } from './intake/search/search-requests.ts';
import { noteCopy } from './intake/view/note-copy.ts';
import { revealRequest } from './intake/view/reveal-request.ts';
import { viewRequest } from './intake/view/view-request.ts';
import { applyHeldOutput } from './output/apply-held-output.ts';
import { compareHeldOutput } from './output/compare-held-output.ts';
import { dismissHeldOutput } from './output/dismiss-held-output.ts';
import { dismissHeldOutputs } from './output/dismiss-held-outputs.ts';
import { getBenefits } from './output/get-benefits.ts';
import { getHeldOutput } from './output/get-held-output.ts';
import { getProof } from './output/get-proof.ts';
import { getResult } from './output/get-result.ts';
import { heldStats } from './output/held-stats.ts';
import { listHeldOutputs } from './output/list-held-outputs.ts';
import { submitOutput } from './output/submit-output.ts';
import { type ProcedureOfEach, router } from './procedure/trpc.ts';
import { reportHeld } from './reports/report-held.ts';
import { reportQueue } from './reports/report-queue.ts';
import { reportReasons } from './reports/report-reasons.ts';
import { reportRequests } from './reports/report-requests.ts';
import { reportTimes } from './reports/report-times.ts';
import { confirmErasure } from './retention/erasure/confirm-erasure.ts';
import { eraseRequest } from './retention/erasure/erase-request.ts';
import { listErasures } from './retention/erasure/list-erasures.ts';
import { endHold } from './retention/holds/end-hold.ts';
import { listHolds } from './retention/holds/list-holds.ts';
import { placeHold } from './retention/holds/place-hold.ts';
import { addStaff } from './staff/add-staff.ts';
import { breakGlass } from './staff/break-glass.ts';
import { endSession } from './staff/end-session.ts';
import { endStaff } from './staff/end-staff.ts';
import { findOwnAccounts } from './staff/find-own-accounts.ts';
import { linkStaff } from './staff/link-staff.ts';
import { listSessions } from './staff/list-sessions.ts';
import { listStaff } from './staff/list-staff.ts';
import { addPasskey } from './staff/passkeys/add-passkey.ts';
import { beginPasskey } from './staff/passkeys/begin-passkey.ts';
import { endPasskey } from './staff/passkeys/end-passkey.ts';
import { listPasskeys } from './staff/passkeys/list-passkeys.ts';
import { readMyself } from './staff/read-myself.ts';
import { setStaffRoles } from './staff/set-staff-roles.ts';
import { getSettings } from './staff/settings/get-settings.ts';
import { setSettings } from './staff/settings/set-settings.ts';
import { adoptDraft } from './verification/drafts/adopt-draft.ts';
import { discardDraft } from './verification/drafts/discard-draft.ts';
import { getDrafts } from './verification/drafts/get-drafts.ts';
import { listDrafts } from './verification/drafts/list-drafts.ts';
import { saveDraft } from './verification/drafts/save-draft.ts';
import { listAttempts } from './verification/evidence/list-attempts.ts';
import { listExchanges } from './verification/evidence/list-exchanges.ts';
import { reportResponseTimes } from './verification/measures/report-response-times.ts';
import { workDay, workDone } from './verification/measures/work-day.ts';
import { workStats } from './verification/measures/work-stats.ts';
import { claimRequest } from './verification/work/claim-request.ts';
import { claimWork } from './verification/work/claim-work.ts';
import { endCall } from './verification/work/end-call.ts';
import { failWork } from './verification/work/fail-work.ts';
import { heartbeatWork } from './verification/work/heartbeat-work.ts';
import { listWorkPayers } from './verification/work/list-work-payers.ts';
import { releaseWork } from './verification/work/release-work.ts';
import { startCall } from './verification/work/start-call.ts';
import { submitWork } from './verification/work/submit-work.ts';

/**
 * Every operation, for the configured payers. tRPC and REST are both made from this table; it does not compile
 * while an operation of `OPERATIONS` has no procedure, or another's.
 */
export const createRouter = (schemas: Schemas) =>
  router({
    requests: {
      create: createRequest(schemas),
      list: listRequests(schemas),
      search: searchRequests(),
      stats: requestStats(),
      get: getRequest(schemas),
      result: getResult(schemas),
      deliveries: listRequestDeliveries(),
      redeliver: redeliverRequest(schemas),
      close: closeRequest(schemas),
      attempts: listAttempts(),
      benefits: getBenefits(schemas),
      exchanges: listExchanges(),
      proof: getProof(schemas),
      view: viewRequest(schemas),
      reveal: revealRequest(schemas),
      noteCopy: noteCopy(),
      erase: eraseRequest(),
      readers: listReaders(),
    },
    payers: { list: listPayers() },
    demo: { play: playDemo(schemas), playDay: playDemoDay(), clearDay: clearDemoDay() },
    work: {
      claim: claimWork(schemas),
      claimRequest: claimRequest(schemas),
      heartbeat: heartbeatWork(),
      startCall: startCall(),
      endCall: endCall(),
      release: releaseWork(),
      fail: failWork(),
      submit: submitWork(schemas),
      stats: workStats(schemas),
      payers: listWorkPayers(schemas),
      day: workDay(),
      done: workDone(schemas),
    },
    drafts: {
      list: listDrafts(schemas),
      get: getDrafts(),
      save: saveDraft(),
      discard: discardDraft(),
      adopt: adoptDraft(),
    },
    deliveries: {
      list: listDeliveries(),
      get: getDelivery(),
      redeliverMatching: redeliverMatching(),
      redeliverExhausted: redeliverExhausted(),
    },
    receivers: { list: listReceivers(), tryNow: tryReceiver() },
    verificationOutput: { submit: submitOutput(schemas) },
    heldOutputs: {
      list: listHeldOutputs(),
      stats: heldStats(),
      get: getHeldOutput(schemas),
      compare: compareHeldOutput(schemas),
      apply: applyHeldOutput(),
      dismiss: dismissHeldOutput(),
      dismissMany: dismissHeldOutputs(),
    },
    keys: { create: createKey(), list: listKeys(), revoke: revokeKey() },
    accounts: {
      create: createAccount(),
      list: listAccounts(),
      limits: getAccountLimits(),
      setLimits: setAccountLimits(),
      retention: getAccountRetention(),
      setRetention: setAccountRetention(),
      confirmRetention: confirmAccountRetention(),
      suspend: suspendAccount(),
      resume: resumeAccount(),
    },
    erasures: { list: listErasures(), confirm: confirmErasure() },
    holds: { list: listHolds(), place: placeHold(), end: endHold() },
    staff: {
      add: addStaff(),
      list: listStaff(),
      setRoles: setStaffRoles(),
      link: linkStaff(),
      end: endStaff(),
    },
    sessions: {
      me: readMyself(),
      accounts: findOwnAccounts(),
      list: listSessions(),
      end: endSession(),
      breakGlass: breakGlass(),
    },
    passkeys: { list: listPasskeys(), begin: beginPasskey(), add: addPasskey(), end: endPasskey() },
    settings: { get: getSettings(), set: setSettings() },
    audit: {
      list: listAudit(),
      export: exportAudit(),
      seals: listSeals(),
      verify: verifyAudit(),
    },
    reports: {
      responseTimes: reportResponseTimes(),
      requests: reportRequests(),
      times: reportTimes(),
      reasons: reportReasons(),
      queue: reportQueue(),
      held: reportHeld(),
    },
    webhookSecret: { get: getWebhookSecret(), rotate: rotateWebhookSecret() },
  } satisfies ProcedureOfEach);

export type ApiRouter = ReturnType<typeof createRouter>;
