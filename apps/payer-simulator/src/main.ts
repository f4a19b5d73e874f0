import { SCENARIO_MEMBER_IDS } from './scenarios.ts';
import { startSimulator } from './start-simulator.ts';

const { PORT = '4010', HOST = '127.0.0.1', SIMULATOR_TOKEN: token } = process.env;
// A closed terminal must not end the program.
process.stderr.on('error', () => undefined);
const simulator = await startSimulator({ port: Number(PORT), host: HOST, token });

process.stderr.write(`Payer simulator  ${simulator.url}
Post a 270 there; the member id chooses the answer, any other one is covered:
  ${SCENARIO_MEMBER_IDS.join(' ')}
`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void simulator.stop().then(() => process.exit(0)));
}
