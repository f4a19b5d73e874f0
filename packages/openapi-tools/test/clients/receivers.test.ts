import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@insurance-verification/testing/free-port';
import { INSTALL_PATIENCE_MS, installOnce, run } from '@insurance-verification/testing/install-once';
import { until } from '@insurance-verification/testing/until';
import { createWebhookSecret, signWebhook } from '@insurance-verification/webhook';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aFolder } from '../compile.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../../apps/docs/guides/webhooks.md'), 'utf8');
const blockOf = (file: string) =>
  new RegExp(`^\`\`\`\\w+ ${file}\\n([^]*?)^\`\`\`$`, 'm').exec(GUIDE)?.[1] ?? '';

interface Receiver {
  /** The file of its block on the page of webhooks. */
  readonly file: string;
  /** What this machine must have. */
  readonly needs: string;
  /** Prepares the folder that holds the block. @returns the command that listens. */
  readonly prepare: (folder: string, port: number) => Promise<readonly [string, ...string[]]>;
}

const RECEIVERS: readonly Receiver[] = [
  {
    file: 'receiver.py',
    needs: 'python3',
    prepare: async () => {
      const installed = await installOnce('standardwebhooks-1.0.1', async (empty) => {
        await run('python3', ['-m', 'venv', empty]);
        await run(`${empty}/bin/pip`, ['install', '--quiet', 'standardwebhooks==1.0.1']);
      });
      return [`${installed}/bin/python`, 'receiver.py'];
    },
  },
  {
    file: 'receiver.go',
    needs: 'go',
    prepare: async (folder) => {
      await run('go', ['mod', 'init', 'receiver'], { cwd: folder });
      await run('go', ['mod', 'tidy'], { cwd: folder });
      await run('go', ['build', '-o', 'receiver', 'receiver.go'], { cwd: folder });
      return [join(folder, 'receiver')];
    },
  },
  {
    file: 'Receiver.java',
    needs: 'javac',
    prepare: async (folder) => {
      await run('javac', ['Receiver.java'], { cwd: folder });
      return ['java', 'Receiver'];
    },
  },
  { file: 'receiver.rb', needs: 'ruby', prepare: async () => ['ruby', 'receiver.rb'] },
  {
    file: 'receiver.php',
    needs: 'php',
    prepare: async (_, port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
  },
  {
    file: 'Receiver.cs',
    needs: 'dotnet',
    prepare: async (folder) => {
      await run('dotnet', ['new', 'web', '--force', '--name', 'Receiver', '--output', '.'], { cwd: folder });
      writeFileSync(join(folder, 'Program.cs'), blockOf('Receiver.cs'));
      return ['dotnet', 'run'];
    },
  },
];

const isHere = (command: string) =>
  run('sh', ['-c', `command -v ${command}`]).then(
    () => true,
    () => false,
  );

// A provider copies one of these blocks: it must accept what we sign, and nothing else.
describe.each(RECEIVERS)('the receiver $file of the guide', ({ file, needs, prepare }) => {
  test(
    'accepts what is signed, and refuses another body, key or time',
    { timeout: INSTALL_PATIENCE_MS },
    async (context) => {
      context.skip(!(await isHere(needs)), `this machine has no ${needs}`);
      const [folder, port, secret] = [aFolder(), await freePort(), createWebhookSecret()];
      if (!file.endsWith('.cs')) writeFileSync(join(folder, file), blockOf(file));
      const [command, ...args] = await prepare(folder, port);
      const receiver = spawn(command, args, {
        cwd: folder,
        env: { ...process.env, PORT: String(port), IV_WEBHOOK_SECRET: secret },
      });
      onTestFinished(() => void receiver.kill());
      let printed = '';
      for (const stream of [receiver.stdout, receiver.stderr])
        stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));

      const url = `http://127.0.0.1:${port}/verified`;
      await until('it listens', () => fetch(url, { method: 'POST', body: '{}' }).catch(() => null));
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
