export { SCENARIO_MEMBER_IDS } from './scenarios.ts';
export { type PayerSimulator, type SimulatorOptions, startSimulator } from './start-simulator.ts';
