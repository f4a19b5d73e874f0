import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@insurance-verification/testing/free-port';
import { INSTALL_PATIENCE_MS, run } from '@insurance-verification/testing/install-once';
import { until } from '@insurance-verification/testing/until';
import { createWebhookSecret, signWebhook } from '@insurance-verification/webhook';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aFolder } from '../compile.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../../apps/docs/guides/webhooks.md'), 'utf8');
const blockOf = (file: string) =>
  new RegExp(`^\`\`\`\\w+ ${file}\\n([^]*?)^\`\`\`$`, 'm').exec(GUIDE)?.[1] ?? '';

/** The commands in a row of the page's table, which prepare a folder and start the receiver. */
function commandsOf(file: string): { readonly prepare: readonly string[]; readonly start: string } {
  const [, needs = '', start = ''] =
    new RegExp(`^\\| \`${file}\` +\\| ([^|]*) \\| \`([^\`]+)\``, 'm').exec(GUIDE) ?? [];
  return { prepare: [...needs.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command), start };
}

/** Each with what this machine must have. The one in TypeScript is tried with the service itself. */
const RECEIVERS = [
  ['receiver.py', 'python3'],
  ['receiver.go', 'go'],
  ['Receiver.java', 'javac'],
  ['receiver.rb', 'ruby'],
  ['receiver.php', 'php'],
  ['Receiver.cs', 'dotnet'],
] as const;

const isHere = (command: string) =>
  run('sh', ['-c', `command -v ${command}`]).then(
    () => true,
    () => false,
  );

// A provider copies one of these blocks: it must accept what we sign, and nothing else.
describe.each(RECEIVERS)('the receiver %s of the guide', (file, needs) => {
  test(
    'accepts what is signed, and refuses another body, key or time',
    { timeout: INSTALL_PATIENCE_MS },
    async (context) => {
      context.skip(!(await isHere(needs)), `this machine has no ${needs}`);
      const [folder, port, secret] = [aFolder(), await freePort(), createWebhookSecret()];
      writeFileSync(join(folder, file), blockOf(file));
      const { prepare, start } = commandsOf(file);
      for (const command of prepare) await run('bash', ['-c', command], { cwd: folder });
      const receiver = spawn('bash', ['-c', start], {
        cwd: folder,
        env: { ...process.env, PORT: String(port), IV_WEBHOOK_SECRET: secret },
        detached: true, // a group of its own: some start another process
      });
      onTestFinished(() => void process.kill(-(receiver.pid ?? 0)));
      let printed = '';
      for (const stream of [receiver.stdout, receiver.stderr])
        stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));

      const url = `http://127.0.0.1:${port}/verified`;
      const listens = () => fetch(url, { method: 'POST', body: '{}' }).catch(() => null);
      await until('it listens', listens, INSTALL_PATIENCE_MS / 2); // Go compiles its libraries the first time
      const text = '{"request":{"request_id":"req_1","state":"complete"},"insurance_data":[]}';
      const post = (body: string, { key = secret, at = new Date() } = {}) =>
        fetch(url, {
          method: 'POST',
          body,
          headers: {
            'content-type': 'application/json',
            'webhook-id': 'msg_1',
            'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
            'webhook-signature': signWebhook({
              id: 'msg_1',
              timestamp: at,
              body: Buffer.from(text),
              secrets: [key],
            }),
          },
        }).then(({ status }) => status);
      expect(await post(text)).toBe(204);
      await until('it prints the state', () => printed.includes('msg_1 complete'));
      expect(await post(`${text} `)).toBe(401);
      expect(await post(text, { key: createWebhookSecret() })).toBe(401);
      expect(await post(text, { at: new Date(Date.now() - 600_000) })).toBe(401);
    },
  );
});
