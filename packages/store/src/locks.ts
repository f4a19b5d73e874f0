/**
 * Every advisory lock of the service, each by the one number that names it in the database. A number is never used again:
 * processes of another version may hold it.
 */
export const LOCKS = {
  /** Creates the accounts with fixed ids: `default` at a first start, the known answers' with the first of them. */
  defaultAccount: '7164305',
  /** Creates the access log's partitions for coming months. */
  monthMaking: '7164307',
  /** Drops a month of the access log; held by a session, as that takes minutes. */
  monthRemoval: '7164308',
  /** Writes to the chain of seals. */
  sealing: '7164309',
  /** Erases requests past their retention. */
  erasure: '5120934417203318842',
  /** Erasing takes it exclusively, holding an output takes it shared. */
  holding: '7164310',
  /** Creates the tables and the functions. */
  migration: '7598247083124680306',
  /** Divides the delivery shards among the workers. */
  deliveryShards: '7598247083124680307',
} as const;

/** Locks of two numbers: this one, and the hash of what it is for. PostgreSQL keeps them apart from those of one. */
export const PAIR_LOCKS = {
  /** A payer's requests in flight are counted and claimed by one at a time. */
  payerCap: 7_164_306,
  /** A payer is asked over X12 by one process; with 0 for a hash, shared: a process is there that asks. */
  payerSlot: 7_164_307,
  /** A queue that is long is counted by one process at a time. */
  queueCount: 7_164_311,
  /** Signs in as a subject of the provider: of two first sign-ins at once, one makes the person. */
  providerSubject: 7_164_312,
  /** The call-backs that a key or person has planned are counted and planned by one call at a time. */
  callBacks: 7_164_313,
} as const;
