import { dropIndex, type OnlineMigration } from '../online/online-migration.ts';

/**
 * Drops what told claims when an account was served: an index that every attempt was written to, 49 bytes of each
 * request. No released version reads by it.
 */
export const servedOfBefore: OnlineMigration = { steps: [dropIndex('verification_attempt_served')] };
