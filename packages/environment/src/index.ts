export { readSecretFiles, type SecretFiles } from './read-secret-files.ts';
