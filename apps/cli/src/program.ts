import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { addExportAudit, addListAudit, addListSeals } from './audit/audit-log.ts';
import { addArchiveMonth, addDropMonth, addListMonths } from './audit/months.ts';
import { addResumeSealing } from './audit/resume-sealing.ts';
import { addShowSealKey } from './audit/seal-keys.ts';
import { addVerifyAudit } from './audit/verify-audit.ts';
import { accountCommands } from './commands/accounts.ts';
import { addBackup, addRestore } from './commands/backup.ts';
import { batchCommands } from './commands/batches.ts';
import { deliveryCommands } from './commands/deliveries.ts';
import { endpointCommands, eventCommands } from './commands/endpoints.ts';
import { erasureCommands, holdCommands } from './commands/erasures-and-holds.ts';
import { heldCommands } from './commands/held-outputs.ts';
import { keyCommands, secretCommands } from './commands/keys.ts';
import { addMigrate } from './commands/migrate.ts';
import { addConsole, sessionCommands, staffCommands } from './commands/people.ts';
import { requestCommands } from './commands/requests.ts';
import { addReportAskedCodes, addReportResponseTimes, workCommands } from './commands/work.ts';
import { addDemo } from './demo/demo.ts';
import { commandWords, exampleOf, withExample } from './example.ts';
import { describeFailure } from './failure/describe-failure.ts';
import { addListen } from './listen/listen.ts';
import { addReports } from './reports/reports.ts';
import { targetOf } from './service/connect.ts';
import { addSimulate } from './simulate/simulate.ts';
import { asTyped } from './terminal/terminal.ts';

const ENVIRONMENT = `
Environment:
  IV_URL      the service; the one that runs with this DATA_DIR when not set
  IV_API_KEY  the API key; when not set, DATA_DIR/api-key for the service of that folder

No secret is an argument, which every user of the machine can read: give each in a
file that IV_API_KEY_FILE, DATABASE_URL_FILE and the like name, /dev/stdin too.

Exit codes: 0 done, 1 the operation failed, 2 wrong usage, 3 some rows were rejected. Data goes to stdout, messages to stderr.`;

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

  addGroup(program, 'requests', 'Verification requests', requestCommands);
  addGroup(program, 'batch', 'Many requests in a file', batchCommands);
  addGroup(program, 'work', 'Requests that wait for a verifier', workCommands);
  addGroup(program, 'deliveries', 'Results on their way to the callback address', deliveryCommands);
  addGroup(program, 'events', 'What happened, for who missed some', eventCommands);
  addGroup(program, 'endpoints', 'The addresses that events are posted to', endpointCommands);
  addGroup(program, 'held', 'Outputs that wait for an operator', heldCommands);
  addGroup(program, 'keys', 'API keys', keyCommands);
  addGroup(program, 'accounts', 'Accounts', accountCommands);
  addGroup(program, 'erasures', 'Requests whose data is asked to be erased', erasureCommands);
  addGroup(program, 'holds', 'Legal holds, which keep data from every erasure', holdCommands);
  addGroup(program, 'staff', 'People who sign in to the console', staffCommands);
  addGroup(program, 'sessions', 'Who is signed in to the console', sessionCommands);
  addConsole(program);
  addGroup(program, 'audit', 'Who did or saw what, and the proof that the record is unchanged', [
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
  addGroup(program, 'secret', 'The secret that signs your webhooks', secretCommands);
  addGroup(program, 'report', 'Reports: of your own account, or for operators of all', [
    addReportResponseTimes,
    addReportAskedCodes,
    addReports,
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

/**
 * Runs one command line.
 * @returns the exit code: 0 done, 1 the operation failed, 2 wrong usage, 3 done in part (`iv audit verify`, `iv batch create`).
 */
export async function run(args: readonly string[]): Promise<number> {
  const program = createProgram();
  let running: Command = program;
  program.hook('preAction', (_program, command) => {
    running = command;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (err) {
    // Commander has printed it already: requested help is success, everything else is wrong usage.
    if (err instanceof CommanderError) return err.exitCode === 0 ? 0 : 2;
    const facts = { ...targetOf(running), example: exampleOf(running), words: commandWords(running) };
    const { message, exitCode } = describeFailure(err, facts);
    process.stderr.write(`${asTyped(message)}\n`);
    return exitCode;
  }
}

/** Prints the version of the client that this program was built with. @throws {CommanderError} with exit code 0. */
function printVersion(): never {
  const path = fileURLToPath(import.meta.resolve('@insurance-verification/client/package.json'));
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
  process.stdout.write(`${version}\n`);
  throw new CommanderError(0, 'commander.version', version);
}
