import { ConfigError, HELP, readConfig } from './config.ts';
import { startProxy } from './proxy.ts';

// stdout belongs to the protocol: messages for people go to stderr. A closed terminal must not end the program.
process.stderr.on('error', () => undefined);

const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) process.stdout.write(HELP);
else await start();

async function start(): Promise<void> {
  try {
    const { url, apiKey } = await readConfig(args, process.env);
    await startProxy(url, apiKey);
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err;
    process.stderr.write(`${err.message}\n`);
    process.exit(1);
  }
}
