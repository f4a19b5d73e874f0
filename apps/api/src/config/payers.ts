import { readFileSync } from 'node:fs';
import {
  assertPayerNames,
  DEFAULT_PAYERS,
  PayersFile,
  type PayerNames,
  type VerificationSource,
} from '@insurance-verification/schema';
import type { OpenHours, Route } from '@insurance-verification/store';
import * as z from 'zod';
import { createOpenHours, openMinutesAWeek } from './open-hours.ts';
import { IN_FLIGHT_COUNT_MAX } from './payer-connections.ts';
import { type InquirySettings, inquirySettings } from './payer-inquiry.ts';

/** A configured payer. Rows store both id and name: the id survives a rename. */
export interface ConfiguredPayer {
  readonly id: string;
  readonly name: string;
  /** Other names that cards and people give it. */
  readonly aliases: readonly string[];
  /** Its channels, in the order they are tried. */
  readonly route: Route;
  readonly phoneNumber: string | null;
  /** What to press or say in its phone menu. */
  readonly menuPath: string | null;
  /** The day on which that menu was last another, `YYYY-MM-DD`. */
  readonly menuPathChangedOn: string | null;
  readonly phones: NonNullable<FiledPayer['phones']>;
  /** The zone of its hours; null without hours. */
  readonly timeZone: string | null;
  readonly portalUrl: string | null;
  /** For the verifier. */
  readonly notes: string | null;
  /** The questions for verifiers in addition to the coverage. */
  readonly sheet: NonNullable<FiledPayer['sheet']> | null;
  /** In 270 requests. */
  readonly x12PayerId: string | null;
  /** When it has said that it will not answer. */
  readonly plannedDowntime: NonNullable<FiledPayer['planned_downtime']>;
  /** The fields of its inquiries over X12. */
  readonly inquiry: InquirySettings;
  /** The API channel; null without one. */
  readonly x12: NonNullable<FiledPayer['x12']> | null;
}

/** The four payers, in their configured order. */
export interface Payers {
  readonly names: PayerNames;
  readonly all: readonly ConfiguredPayer[];
  readonly routes: readonly Route[];
  /** The id of a configured name. Throws for any other: validated bodies contain none. */
  idOf(name: string): string;
  /** The payer of a stored id; undefined when the configuration has dropped it. */
  byId(id: string): ConfiguredPayer | undefined;
}

type FiledPayer = PayersFile['payers'][number];

/** Every channel, cheapest first: the route of a payer configured only by name. */
const EVERY_CHANNEL: readonly VerificationSource[] = [
  'api',
  'agent_web_portal',
  'agent_phone_call',
  'manual_web_portal',
  'manual_phone_call',
];

/**
 * The default minutes a request may stay in a channel. People rest at night and on Sundays. Of a phone channel with hours
 * they are open minutes, those of a week at most.
 */
const MINUTES: Readonly<Record<VerificationSource, number>> = {
  api: 5,
  agent_web_portal: 60,
  agent_phone_call: 120,
  manual_web_portal: 24 * 60,
  manual_phone_call: 7 * 24 * 60,
};

const ATTEMPTS = 3;

/** Values that start, for messages. No placeholders, which production refuses. */
export const EXAMPLES = {
  PAYERS: '["Northwind Health","Bluefield Dental","Harbor Care","Meridian Plan"]',
  PAYERS_FILE:
    '{"payers":[{"id":"northwind","name":"Northwind Health"},{"id":"bluefield","name":"Bluefield Dental"},' +
    '{"id":"harbor","name":"Harbor Care"},{"id":"meridian","name":"Meridian Plan"}]}',
} as const;

/**
 * The payers of `PAYERS` or `PAYERS_FILE`; with neither, the placeholders. With only `PAYERS`, each name is also its payer's
 * id; the file has separate ids, so that a payer can be renamed, and says how to reach each.
 * @throws {TypeError} for anything but four distinct, non-empty names with distinct ids, and when both are given and
 * differ.
 */
export function readPayers({
  PAYERS,
  PAYERS_FILE,
}: {
  PAYERS?: string | undefined;
  PAYERS_FILE?: string | undefined;
}): Payers {
  const listed = PAYERS === undefined ? undefined : parseNames(PAYERS);
  const filed = PAYERS_FILE === undefined ? undefined : parseFile(PAYERS_FILE);
  if (listed && filed && JSON.stringify(listed) !== JSON.stringify(filed.map(({ name }) => name))) {
    throw new TypeError('PAYERS and PAYERS_FILE name different payers. Set one of them, or make them agree.');
  }
  try {
    return createPayers(filed ?? (listed ?? DEFAULT_PAYERS).map((name) => ({ id: name, name })));
  } catch (err) {
    if (!(err instanceof TypeError)) throw err;
    throw new TypeError(`${filed ? 'PAYERS_FILE' : 'PAYERS'}: ${err.message}`, { cause: err });
  }
}

function createPayers(filed: readonly FiledPayer[]): Payers {
  const names = filed.map(({ name }) => name);
  assertPayerNames(names);
  if (new Set(filed.map(({ id }) => id)).size !== filed.length)
    throw new TypeError('two payers have one id.');
  const all = filed.map(toConfiguredPayer);
  const idByName = new Map(all.map(({ id, name }) => [name, id]));
  const payerById = new Map(all.map((payer) => [payer.id, payer]));
  return {
    names,
    all,
    routes: all.map(({ route }) => route),
    idOf: (name) => {
      const id = idByName.get(name);
      if (id === undefined) throw new Error('A validated body names a payer that is not configured.');
      return id;
    },
    byId: (id) => payerById.get(id),
  };
}

function toConfiguredPayer(filed: FiledPayer): ConfiguredPayer {
  const channels = (filed.channels ?? EVERY_CHANNEL).map((channel) =>
    typeof channel === 'string' ? { source: channel } : channel,
  );
  return {
    id: filed.id,
    name: filed.name,
    aliases: filed.aliases ?? [],
    route: {
      payerId: filed.id,
      phoneHours: hoursOf(filed),
      channels: channels.map(({ source, attempts, minutes, keep_trying: keepTrying }) => ({
        source,
        attemptCountMax: attempts ?? filed.attempts ?? ATTEMPTS,
        secondsMax: (minutes ?? defaultMinutes(source, filed)) * 60,
        ...(source === 'api' &&
          filed.x12 && {
            keepTryingSeconds: typeof keepTrying === 'number' ? keepTrying * 60 : null,
          }),
      })),
      skipsUnattended: filed.skip_unattended ?? filed.channels === undefined,
      inFlightCountMax: filed.in_flight_max ?? null,
      ...(filed.x12 && { inquiryCountMax: filed.x12.in_flight_max ?? IN_FLIGHT_COUNT_MAX }),
      holdsAgentResults: filed.agent_results === 'held',
      apiDowntimes: (filed.planned_downtime ?? [])
        .filter(({ channels: down }) => down?.includes('api') ?? true)
        .map(({ from, until }) => ({ from: new Date(from), until: new Date(until) })),
    },
    phoneNumber: filed.phone_number ?? null,
    menuPath: filed.menu_path ?? null,
    menuPathChangedOn: filed.menu_path_changed_on ?? null,
    phones: filed.phones ?? [],
    timeZone: filed.hours === undefined ? null : (filed.time_zone ?? null),
    portalUrl: filed.portal_url ?? null,
    notes: filed.notes ?? null,
    sheet: filed.sheet ?? null,
    plannedDowntime: filed.planned_downtime ?? [],
    x12PayerId: filed.x12_payer_id ?? null,
    inquiry: inquirySettings(filed),
    x12: filed.x12 ?? null,
  };
}

/** Minutes that no request waits: one that this service asks the payer for itself waits for its turn. */
const ITS_TURN = 60 * 24 * 60;

function defaultMinutes(source: VerificationSource, { hours, x12 }: FiledPayer): number {
  if (source === 'api' && x12) return ITS_TURN;
  const isResting = source.endsWith('_phone_call') && hours !== undefined;
  return isResting ? Math.min(MINUTES[source], openMinutesAWeek(hours)) : MINUTES[source];
}

function hoursOf({ id, time_zone: timeZone, hours, holidays = [] }: FiledPayer): OpenHours | null {
  if (timeZone === undefined || hours === undefined) return null;
  try {
    return createOpenHours({ time_zone: timeZone, hours, holidays });
  } catch (err) {
    throw new TypeError(`payer ${id}: ${err instanceof Error ? err.message : String(err)}`, { cause: err });
  }
}

/** Whether any name is a placeholder, ours or the spec's (`<PAYER_PLAN_1>`): production refuses both. */
export function arePlaceholders({ names }: Payers): boolean {
  const placeholders: readonly string[] = DEFAULT_PAYERS;
  return names.some((name) => placeholders.includes(name) || /^<.*>$/s.test(name));
}

function parseNames(text: string): string[] {
  const parsed = z.array(z.string()).safeParse(parseJson('PAYERS', text));
  if (!parsed.success)
    throw new TypeError(`PAYERS: expected a JSON list of four names. A right example: ${EXAMPLES.PAYERS}`);
  return parsed.data;
}

function parseFile(path: string): FiledPayer[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (err) {
    throw new TypeError(
      `PAYERS_FILE: ${path} cannot be read. It holds JSON, for example: ${EXAMPLES.PAYERS_FILE}`,
      { cause: err },
    );
  }
  const parsed = PayersFile.safeParse(parseJson('PAYERS_FILE', text));
  if (!parsed.success) {
    const faults = z.prettifyError(parsed.error);
    throw new TypeError(`PAYERS_FILE: ${faults}\n  A right example: ${EXAMPLES.PAYERS_FILE}`);
  }
  return parsed.data.payers;
}

function parseJson(variable: keyof typeof EXAMPLES, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (err) {
    throw new TypeError(`${variable}: not JSON. A right example: ${EXAMPLES[variable]}`, { cause: err });
  }
}
