import type {
  Account,
  AccountLimits,
  AccountList,
  AccountRef,
  AccountRetention,
  ApiKey,
  ApiKeyList,
  AskAccountRetention,
  AuditExport,
  AuditList,
  AuditSealList,
  AuditVerification,
  CreateAccount,
  CreateApiKey,
  CreatedApiKey,
  ExportAudit,
  ListAudit,
  ListPage,
  ListSeals,
  SetAccountLimits,
  SetAccountRetention,
  VerifyAudit,
  WebhookSecret,
} from '@insurance-verification/schema';
import type * as z from 'zod';
import type { Mutation, Query } from './procedure.ts';

/** Keys, accounts, the secrets that sign webhooks, and who did what. */
export interface AccessProcedures {
  keys: {
    /**
     * Creates a key for an account, by default for a year. Its text is in this answer and nowhere else; if the answer
     * is lost, revoke the key and create another.
     */
    create: Mutation<z.input<typeof CreateApiKey>, CreatedApiKey>;
    /** Every account's keys, including revoked ones, newest first. */
    list: Query<z.input<typeof ListPage>, ApiKeyList>;
    /** Revokes a key. Idempotent. 404 `not_found`. */
    revoke: Mutation<{ key_id: string }, ApiKey>;
  };
  accounts: {
    /** Creates an account with its own webhook secret. */
    create: Mutation<z.input<typeof CreateAccount>, Account>;
    /** Every account, newest first. */
    list: Query<z.input<typeof ListPage>, AccountList>;
    /** How much an account may use, and from which networks. 404 `not_found`. */
    limits: Query<AccountRef, AccountLimits>;
    /** Sets how much an account may use, and from which networks. 404 `not_found`. */
    setLimits: Mutation<AccountRef & z.input<typeof SetAccountLimits>, AccountLimits>;
    /** How long an account's requests keep their data, and how many would lose it. 404 `not_found`. */
    retention: Query<AccountRef & z.input<typeof AskAccountRetention>, AccountRetention>;
    /**
     * Sets after how many days an account's finished requests lose their data. A shorter retention erases nothing for a
     * day. 404 `not_found`.
     */
    setRetention: Mutation<AccountRef & z.input<typeof SetAccountRetention>, AccountRetention>;
    /**
     * Refuses an account's keys; what it had accepted is still verified and delivered. Idempotent. 409
     * `locks_caller_out` for the account of the calling key.
     */
    suspend: Mutation<AccountRef, Account>;
    /** Lets a suspended account's keys work again. Idempotent. 404 `not_found`. */
    resume: Mutation<AccountRef, Account>;
  };
  webhookSecret: {
    /** The account's webhook secrets. */
    get: Query<void, WebhookSecret>;
    /**
     * Creates a new secret; the previous one keeps signing beside it for 24 hours. Not retried: each call creates
     * another, and at most nine old ones are kept within a day.
     */
    rotate: Mutation<void, WebhookSecret>;
  };
  audit: {
    /**
     * Who did or saw what, newest first. Reading it is recorded as well. A page may be short or empty before the last
     * one: only a `next_cursor` of null marks the end.
     */
    list: Query<z.input<typeof ListAudit>, AuditList>;
    /**
     * The same lines as the lines of a file: NDJSON or CSV. The file is the `items` of all parts; only a `next_cursor` of
     * null marks the end.
     */
    export: Query<z.input<typeof ExportAudit>, AuditExport>;
    /** The seals of the audit, newest first, with the keys that verify them, and what is not sealed yet. */
    seals: Query<z.input<typeof ListSeals>, AuditSealList>;
    /** Compares the next 50,000 lines or so with their seals; call again with `next_cursor` until that is null. */
    verify: Query<z.input<typeof VerifyAudit>, AuditVerification>;
  };
}
