import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Log } from './log.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** prom-client's gauges with a counter's suffix, which `promtool check metrics` refuses; each is the sum of another. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** A registry with what a process measures of itself. */
function createProcessRegistry(log: Pick<Log, 'lostCount'>): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const lost = new Counter({
    name: 'ivs_log_lines_lost_total',
    help: 'Log lines dropped because the pipe or terminal is closed or blocked, or the disk is full.',
    registers: [],
    collect() {
      this.reset();
      this.inc(log.lostCount());
    },
  });
  registry.registerMetric(lost);
  return registry;
}

/** Prometheus metrics. Labels are payers, dispositions, operations and classes, never ids or addresses. */
export function createMetrics(log: Pick<Log, 'lostCount'>) {
  const registry = createProcessRegistry(log);
  const registers = [registry];
  return {
    registry,
    /** What the database says, the same in every process: asked for by a scrape, and shown once. */
    database: new Registry(),
    requestsReceived: new Counter({
      name: 'ivs_requests_received_total',
      help: 'Requests stored, by payer id; replays are not counted.',
      labelNames: ['payer'],
      registers,
    }),
    requestsOverdue: new Counter({
      name: 'ivs_requests_overdue_total',
      help: 'Requests that had no result when they were needed (Needed-By), by payer id: each once, by the process that counted it, seconds later.',
      labelNames: ['payer'],
      registers,
    }),
    refusedKeys: new Counter({
      name: 'ivs_refused_keys_total',
      help: 'Calls without a valid key where one is needed, and wrong keys where none is, by where the client is: loopback, private, public; and by what was wrong: missing, wrong.',
      labelNames: ['address_class', 'reason'],
      registers,
    }),
    alteredRows: new Counter({
      name: 'ivs_altered_rows_total',
      help: 'Times that a row which gives power, or an event, was read with a wrong MAC, by table; the log names it.',
      labelNames: ['table'],
      registers,
    }),
    foreignWrites: new Counter({
      name: 'ivs_foreign_writes_total',
      help: 'Times that the database wrote another row that gives power than it was given, by table: nothing was done, and the log names it.',
      labelNames: ['table'],
      registers,
    }),
    emergencies: new Counter({
      name: 'ivs_emergency_access_total',
      help: 'Emergency accesses granted, one hour each.',
      registers,
    }),
    requestsUnreadable: new Counter({
      name: 'ivs_requests_unreadable_total',
      help: 'Requests left out of a list because their stored values do not open; the log names them.',
      registers,
    }),
    outputsAccepted: new Counter({
      name: 'ivs_outputs_accepted_total',
      help: 'Verification outputs, by what became of them: applied, unchanged, progress, erased, or the reason they are held for.',
      labelNames: ['disposition'],
      registers,
    }),
    heldOutputsDisplaced: new Counter({
      name: 'ivs_held_outputs_displaced_total',
      help: 'Outputs of anonymous senders that still waited for an operator and were removed to make room for newer ones.',
      registers,
    }),
    deliveryAttempts: new Counter({
      name: 'ivs_delivery_attempts_total',
      help: 'Webhook attempts, by outcome class.',
      labelNames: ['outcome'],
      registers,
    }),
    deliverySeconds: new Histogram({
      name: 'ivs_delivery_seconds',
      help: 'From the accepted output to the delivered webhook.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30, 300, 3600, 86_400],
      registers,
    }),
    deliveriesInFlight: new Gauge({
      name: 'ivs_deliveries_in_flight',
      help: 'Webhook attempts under way in this process.',
      registers,
    }),
    openBreakers: new Gauge({
      name: 'ivs_delivery_open_breakers',
      help: 'Hosts that this process does not call, or calls only to see whether they are back.',
      registers,
    }),
    payerSeconds: new Histogram({
      name: 'ivs_payer_seconds',
      help: 'Duration of X12 exchanges with payers, by payer id and what the answer was read as.',
      labelNames: ['payer', 'outcome'],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
      registers,
    }),
    inquiries: new Counter({
      name: 'ivs_x12_inquiries_total',
      help: 'X12 inquiries to payers, retries among them, by payer id and their number among those of a request, from 1.',
      labelNames: ['payer', 'number'],
      registers,
    }),
    inquiriesInFlight: new Gauge({
      name: 'ivs_inquiries_in_flight',
      help: 'X12 inquiries under way in this process, by payer id.',
      labelNames: ['payer'],
      registers,
    }),
    databaseFault: new Gauge({
      name: 'ivs_database_fault',
      help: 'Whether PostgreSQL can write no page, by its code: 53100, its disk is full; 58P01, its data folder is gone; 58030, its disk fails.',
      labelNames: ['code'],
      registers,
    }),
    monthsAhead: new Gauge({
      name: 'ivs_months_ahead',
      help: 'Months after the present one that have a part of the log; 0 until this process has looked, seconds after its start.',
      registers,
    }),
    sealingStopped: new Gauge({
      name: 'ivs_audit_sealing_stopped',
      help: 'Whether this process does not seal the audit, by cause: differs, the database is not what AUDIT_SEAL_FILE has; damaged, the newest seal was changed; blocked, somebody holds a lock. The log says more.',
      labelNames: ['cause'],
      registers,
    }),
    misdatedLines: new Counter({
      name: 'ivs_audit_misdated_lines_total',
      help: 'Lines of the audit that this process sealed and that cannot have been written at their time, by the seals around them.',
      registers,
    }),
    alteredTables: new Counter({
      name: 'ivs_audit_altered_tables_total',
      help: 'Seals that this process made while a table of the audit, or one whose rows give power, was not as the schema makes it, by fault; the log names the table.',
      labelNames: ['fault'],
      registers,
    }),
    requestsErased: new Counter({
      name: 'ivs_requests_erased_total',
      help: 'Finished requests whose data was erased at the end of their retention.',
      registers,
    }),
    httpSeconds: new Histogram({
      name: 'ivs_http_seconds',
      help: 'Duration of HTTP answers, by operation and status.',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
      registers,
    }),
  };
}
