import { once } from 'node:events';
import { verifyWebhook, WebhookVerificationError } from '@insurance-verification/client';
import { type Command, InvalidArgumentError } from 'commander';
import { rightExample, withExample } from '../example.ts';
import { CommandFailedError, WrongUsageError } from '../failure/failure.ts';
import { readWebhookSecret } from '../service/config.ts';
import { connect, createClient } from '../service/connect.ts';
import { planLines, textAt } from '../terminal/plan-table.ts';
import { type Block, fields } from '../terminal/table.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { type ReceivedCall, type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts';

/** `iv listen`: runs a local webhook receiver until Ctrl-C. */
export function addListen(program: Command): void {
  withExample(program.command('listen'), 'iv listen --port 4000')
    .description('receive webhooks on this machine, verify them, print what came; Ctrl-C ends it')
    .option('--port <port>', 'where to listen on 127.0.0.1; 0 takes a free port', parsePort, 4000)
    .addHelpText(
      'after',
      '\nVerifies with the webhook secrets of your account, or with the one in the file that IV_WEBHOOK_SECRET_FILE names.',
    )
    .action(async ({ port }: { readonly port: number }, command: Command) => {
      const terminal = openTerminal(command);
      const secret = readWebhookSecret(process.env);
      const secrets = secret === undefined ? await accountSecrets(command) : [await usable(secret)];
      const receiver = await receiverOn({
        port,
        secrets,
        received: (call) => terminal.report(callDocument(call), terminal.json ? [] : callLines(call)),
      });
      terminal.say(`Listening. callback_url: ${receiver.url}/verified (Ctrl-C ends it)`);
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
      await receiver.stop();
    });
}

/** The account's webhook secrets, and the test account's when a service on this machine keeps both keys. */
async function accountSecrets(command: Command): Promise<string[]> {
  const { client, url, testKey } = await connect(command);
  const clients = testKey === undefined ? [client] : [client, createClient(url, testKey, 'iv listen')];
  const secrets = await Promise.all(clients.map(({ webhookSecret }) => webhookSecret.get()));
  return secrets.flatMap(({ current, previous }) => (previous === null ? [current] : [current, previous]));
}

/** Fails at the start, not at the first webhook. */
async function usable(secret: string): Promise<string> {
  try {
    await verifyWebhook({ headers: {}, body: '', secret });
  } catch (err) {
    if (err instanceof WebhookVerificationError && err.reason === 'bad_secret') {
      throw new WrongUsageError(
        `IV_WEBHOOK_SECRET cannot be used: ${err.message}.\n${rightExample('IV_WEBHOOK_SECRET_FILE=/run/secrets/webhook-secret iv listen')}`,
      );
    }
  }
  return secret;
}

async function receiverOn(options: ReceiverOptions): Promise<Receiver> {
  try {
    return await startReceiver(options);
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw err;
    throw new CommandFailedError(
      `Cannot listen on port ${options.port} (${code}). Expected a free port, such as: iv listen --port 0`,
    );
  }
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('Expected a port number from 0 to 65535.');
  return port;
}

/** A received call for `--json`: its content, and whether its signature proves that the service sent it. */
function callDocument(call: ReceivedCall): object {
  return {
    received_at: call.receivedAt.toISOString(),
    method: call.method,
    path: call.path,
    webhook_id: call.id,
    version: call.version,
    verified: call.refusal === null,
    reason: call.refusal?.reason ?? null,
    request_id: textAt(call.body, 'request', 'request_id'),
    state: textAt(call.body, 'request', 'state'),
    error_reason: textAt(call.body, 'request', 'error_reason'),
    insurance_data: insuranceDataOf(call.body),
  };
}

/** The same for a person to read. */
function callLines(call: ReceivedCall): Block[] {
  const { refusal, body } = call;
  return [
    ...fields([
      ['received', call.receivedAt.toISOString()],
      ['call', `${call.method} ${call.path}`],
      ['webhook-id', call.id],
      ['version', call.version],
      ['verified', refusal === null ? 'yes' : `no: ${refusal.message} (${refusal.reason})`],
      ['request_id', textAt(body, 'request', 'request_id')],
      ['state', textAt(body, 'request', 'state')],
      ['error_reason', textAt(body, 'request', 'error_reason')],
    ]),
    ...planLines(insuranceDataOf(body)),
    '',
  ];
}

function insuranceDataOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'insurance_data' in body ? body.insurance_data : null;
}
