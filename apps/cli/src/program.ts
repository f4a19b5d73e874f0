import { Command } from 'commander';
import { addAccountLimits } from './access/account-limits.ts';
import { addAccountRetention } from './access/account-retention.ts';
import { addCreateAccount } from './access/create-account.ts';
import { addCreateKey } from './access/create-key.ts';
import { addFirstKey } from './access/first-key.ts';
import { addListAccounts } from './access/list-accounts.ts';
import { addListKeys } from './access/list-keys.ts';
import { addResumeAccount } from './access/resume-account.ts';
import { addRevokeKey } from './access/revoke-key.ts';
import { addSuspendAccount } from './access/suspend-account.ts';
import { addArchiveMonth } from './audit/archive-month.ts';
import { addDropMonth } from './audit/drop-month.ts';
import { addExportAudit } from './audit/export-audit.ts';
import { addListAudit } from './audit/list-audit.ts';
import { addListMonths } from './audit/list-months.ts';
import { addListSeals } from './audit/list-seals.ts';
import { addResumeSealing } from './audit/resume-sealing.ts';
import { addShowSealKey } from './audit/show-key.ts';
import { addVerifyAudit } from './audit/verify-audit.ts';
import { addBackup } from './backup/back-up.ts';
import { addRestore } from './backup/restore.ts';
import { addListDeliveries } from './delivery/list-deliveries.ts';
import { addListen } from './delivery/listen.ts';
import { addRedeliver } from './delivery/redeliver.ts';
import { addRotateSecret } from './delivery/rotate-secret.ts';
import { addShowSecret } from './delivery/show-secret.ts';
import { addDemo } from './demo/demo.ts';
import { exampleOf, withExample } from './example.ts';
import { addCloseRequest } from './intake/close-request.ts';
import { addCreateRequest } from './intake/create-request.ts';
import { addGetProof } from './intake/get-proof.ts';
import { addGetRequest } from './intake/get-request.ts';
import { addListAttempts } from './intake/list-attempts.ts';
import { addListBenefits } from './intake/list-benefits.ts';
import { addListExchanges } from './intake/list-exchanges.ts';
import { addListRequests } from './intake/list-requests.ts';
import { addSearchRequests } from './intake/search-requests.ts';
import { addMigrate } from './migrate.ts';
import { addApplyHeld } from './output/apply-held.ts';
import { addCompareHeld } from './output/compare-held.ts';
import { addDismissHeld } from './output/dismiss-held.ts';
import { addDismissManyHeld } from './output/dismiss-many-held.ts';
import { addListHeld } from './output/list-held.ts';
import { addShowHeld } from './output/show-held.ts';
import { printVersion } from './print-version.ts';
import { addEndHold } from './privacy/end-hold.ts';
import { addEraseRequest } from './privacy/erase-request.ts';
import { addListErasures } from './privacy/list-erasures.ts';
import { addListHolds } from './privacy/list-holds.ts';
import { addPlaceHold } from './privacy/place-hold.ts';
import { addShowErasure } from './privacy/show-erasure.ts';
import { addReportHeld } from './reports/report-held.ts';
import { addReportQueue } from './reports/report-queue.ts';
import { addReportReasons } from './reports/report-reasons.ts';
import { addReportRequests } from './reports/report-requests.ts';
import { addReportTimes } from './reports/report-times.ts';
import { addSimulate } from './simulate/simulate.ts';
import { addAddStaff } from './staff/add-staff.ts';
import { addBreakGlass } from './staff/break-glass.ts';
import { addConsole } from './staff/console.ts';
import { addEndSession } from './staff/end-session.ts';
import { addEndStaff } from './staff/end-staff.ts';
import { addListSessions } from './staff/list-sessions.ts';
import { addListStaff } from './staff/list-staff.ts';
import { addSetStaffRoles } from './staff/set-staff-roles.ts';
import { asTyped } from './terminal/as-typed.ts';
import { addReportResponseTimes } from './verification/report-response-times.ts';
import { addWorkStats } from './verification/work-stats.ts';

const ENVIRONMENT = `
Environment:
  IV_URL      the service; the one that runs with this DATA_DIR when not set
  IV_API_KEY  the API key; when not set, DATA_DIR/api-key for the service of that folder

No secret is an argument, which every user of the machine can read: give each in a
file that IV_API_KEY_FILE, DATABASE_URL_FILE and the like name, /dev/stdin too.

Exit codes: 0 done, 1 the operation failed, 2 wrong usage. Data goes to stdout, messages to stderr.`;

/** The `iv` program with every command. */
export function createProgram(): Command {
  const program = new Command('iv')
    .description('Operates an Insurance Verification Service.')
    .option('--version', 'print the version of the client that this program was built with')
    .on('option:version', printVersion)
    .option('--json', 'print one JSON document; `listen` prints one per line')
    .option('--wide', 'print every column whole, however narrow the terminal is')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => process.stdout.write(asTyped(text)),
      writeErr: (text) => process.stderr.write(asTyped(text)),
    })
    .exitOverride();
  withExample(program, 'iv requests list --limit 5').addHelpText('after', ENVIRONMENT);

  addGroup(program, 'requests', 'Verification requests', [
    addListRequests,
    addSearchRequests,
    addGetRequest,
    addCreateRequest,
    addCloseRequest,
    addListAttempts,
    addListBenefits,
    addListExchanges,
    addGetProof,
    addEraseRequest,
  ]);
  addGroup(program, 'work', 'Requests that wait for a verifier', [addWorkStats]);
  addGroup(program, 'deliveries', 'Results on their way to the callback address', [
    addListDeliveries,
    addRedeliver,
  ]);
  addGroup(program, 'held', 'Outputs that wait for an operator', [
    addListHeld,
    addShowHeld,
    addCompareHeld,
    addApplyHeld,
    addDismissHeld,
    addDismissManyHeld,
  ]);
  addGroup(program, 'keys', 'API keys', [addCreateKey, addListKeys, addRevokeKey, addFirstKey]);
  addGroup(program, 'accounts', 'Accounts', [
    addCreateAccount,
    addListAccounts,
    addSuspendAccount,
    addResumeAccount,
    addAccountLimits,
    addAccountRetention,
  ]);
  addGroup(program, 'erasures', 'Requests whose data somebody asked to erase', [
    addListErasures,
    addShowErasure,
  ]);
  addGroup(program, 'holds', 'Legal holds, which keep data from every erasure', [
    addPlaceHold,
    addListHolds,
    addEndHold,
  ]);
  addGroup(program, 'staff', 'People who sign in to the console', [
    addAddStaff,
    addListStaff,
    addSetStaffRoles,
    addEndStaff,
  ]);
  addGroup(program, 'sessions', 'Who is signed in to the console', [
    addListSessions,
    addEndSession,
    addBreakGlass,
  ]);
  addConsole(program);
  addGroup(program, 'audit', 'Who did or saw what, and the proof that nobody has changed it since', [
    addListAudit,
    addExportAudit,
    addListSeals,
    addVerifyAudit,
    addResumeSealing,
    addShowSealKey,
    addListMonths,
    addArchiveMonth,
    addDropMonth,
  ]);
  addGroup(program, 'secret', 'The secret that signs your webhooks', [addShowSecret, addRotateSecret]);
  addGroup(program, 'report', 'Reports: of your own account, or for operators of all', [
    addReportResponseTimes,
    addReportRequests,
    addReportTimes,
    addReportReasons,
    addReportQueue,
    addReportHeld,
  ]);
  addListen(program);
  addDemo(program);
  addSimulate(program);
  addMigrate(program);
  addBackup(program);
  addRestore(program);
  return program;
}

/** Commands under one word; what is wrong there is answered with the first one's example. */
function addGroup(
  program: Command,
  name: string,
  description: string,
  commands: readonly ((group: Command) => void)[],
): void {
  const group = program.command(name).description(description);
  for (const add of commands) add(group);
  const [first = group] = group.commands;
  withExample(group, exampleOf(first));
}
