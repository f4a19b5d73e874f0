export { dataDirOf, hasDataDir, inCheckout } from './data-dir-of.ts';
export { findRunning, runsAt } from './find-running.ts';
export { readSecretFiles, type SecretFiles } from './read-secret-files.ts';
