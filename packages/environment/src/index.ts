export { dataDirOf, hasDataDir, inCheckout, sealFileOf } from './data-dir-of.ts';
export { findRunning, runsAt } from './find-running.ts';
export { readSecretFiles, type SecretFiles } from './read-secret-files.ts';
