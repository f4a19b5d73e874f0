import type { AttemptOutcome, EndpointDisabledReason, EventType } from '@insurance-verification/schema';
import type { Generated, GeneratedAlways } from 'kysely';
import type { Instant } from './columns.ts';

export interface DeliveryTables {
  delivery: DeliveryTable;
  delivery_attempt: DeliveryAttemptTable;
  delivery_queue: DeliveryQueueTable;
  delivery_worker: DeliveryWorkerTable;
  delivery_shard: DeliveryShardTable;
  event: EventTable;
  webhook_endpoint: WebhookEndpointTable;
  work_notice: WorkNoticeTable;
  receiver: ReceiverTable;
  receiver_hour: ReceiverHourTable;
}

interface DeliveryTable {
  id: string;
  /** With the version: the result; null for an event. */
  request_id: string | null;
  version: number | null;
  /** With the endpoint; null for a result. */
  event_id: string | null;
  endpoint_id: string | null;
  account_id: string;
  destination: Buffer;
  /** HMAC of host and port, by which caps and fairness group. */
  destination_host: Buffer;
  status: Generated<'pending' | 'delivered' | 'exhausted' | 'superseded' | 'erased'>;
  reason: string | null;
  /** Attempts over all rounds; a redelivery starts a new round. */
  attempt_count: Generated<number>;
  round_attempt_count: Generated<number>;
  accepted_at: Generated<Date>;
  done_at: Instant | null;
  /** When it was done, while it is exhausted. */
  exhausted_at: GeneratedAlways<Date | null>;
}

/** The unfinished deliveries, and who is sending them: a claim, a renewal and a release write only this row. */
interface DeliveryQueueTable {
  destination_host: Buffer;
  account_id: string;
  /** Its request came in a batch, and it was not sent again. */
  of_batch: Generated<boolean>;
  /** See `Lane`. */
  lane: GeneratedAlways<string>;
  /** When the next attempt is due. */
  run_at: Date;
  /** When `run_at` was set. */
  planned_at: Generated<Instant>;
  delivery_id: string;
  request_id: string | null;
  /** The fencing token. */
  lease: string | null;
  leased_at: Instant | null;
  leased_until: Instant | null;
  /** Claims since the last finished attempt; the cap stops a row that crashes its worker. */
  claim_count: Generated<number>;
}

interface EventTable {
  id: string;
  account_id: string;
  type: EventType | 'work.available';
  /** The request, batch, endpoint, key or account that it is about. */
  subject_id: string;
  /** Counts the events of a request. */
  number: number | null;
  /** An `Event` in JSON, as it is posted. */
  body: string;
  /** See `eventMac`; empty where SQL wrote it. */
  mac: Generated<Buffer>;
  occurred_at: Generated<Date>;
  written_by: Generated<string>;
}

interface WebhookEndpointTable {
  id: string;
  account_id: string;
  reach: 'own' | 'test' | 'all';
  url: Buffer;
  destination_host: Buffer;
  types: readonly string[];
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_until: Instant | null;
  created_at: Generated<Date>;
  /** The key or person whose end pauses it; null: the account's own, and a subscription over MCP. */
  made_by: string | null;
  failing_since: Instant | null;
  told_hours: Generated<number>;
  disabled_at: Instant | null;
  disabled_reason: EndpointDisabledReason | null;
  /** Since when it was off, until the other; null when nothing is left to post again. */
  missed_from: Instant | null;
  missed_until: Instant | null;
  ended_at: Instant | null;
  /** The four are null unless it is a subscription over MCP. */
  subscription: string | null;
  key_id: string | null;
  wanted: SubscriptionArguments | null;
  expires_at: Instant | null;
}

/** What a subscription over MCP is kept to. */
export interface SubscriptionArguments {
  readonly payer?: string | undefined;
  readonly channel?: 'agent_web_portal' | 'agent_phone_call' | undefined;
}

interface WorkNoticeTable {
  endpoint_id: string;
  payer_id: string;
  channel: string;
  at: Date;
  count: number;
  waiting_since: Date;
}

interface DeliveryWorkerTable {
  /** The `Store.notifier` of its process. */
  id: string;
  until: Instant;
  account_slots: number;
  is_leaving: boolean;
}

interface ReceiverTable {
  destination_host: Buffer;
  /** One that went to it. */
  delivery_id: string;
  last_attempt_at: Date;
  paused_since: Date | null;
  next_try_at: Date | null;
}

interface ReceiverHourTable {
  destination_host: Buffer;
  mode: 'live' | 'test';
  hour: Date;
  taken_count: number;
  failed_count: number;
}

interface DeliveryShardTable {
  shard: number;
  owner: string | null;
}

interface DeliveryAttemptTable {
  delivery_id: string;
  number: number;
  at: Instant;
  outcome: AttemptOutcome;
  status_code: number | null;
  duration_ms: number;
  response_snippet: Buffer | null;
  /** When it was written, by the database's clock. */
  recorded_at: Generated<Date>;
}
