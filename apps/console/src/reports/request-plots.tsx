import { useId, useState } from 'react';
import { Field, Select } from '../look/field.tsx';
import { usePayerName } from '../requests/use-payers.ts';
import { reasonText } from '../words/reason-words.ts';
import { BarList, PlotCard, timeContent } from './plot-card.tsx';
import {
  channelName,
  count,
  headOf,
  lineOf,
  percent,
  perStep,
  type Report,
  type Row,
  type Shown,
  SPANS,
  stepsOf,
  sumOf,
  time,
  totalsOf,
  useReport,
} from './use-report.ts';

const REQUESTS_TITLE = 'Requests by outcome';

const LINES = [
  ['Received', 'received_count'],
  ['Verified', 'completed_count'],
  ['Not verified', 'not_verified_count'],
  ['Corrected', 'corrected_count'],
] as const;

const LINES_IN_TIME = [
  ['In time', 'met_count'],
  ['Overdue', 'overdue_count'],
] as const;

/** What came in, and what became of it. */
export function RequestsPlot({ shown }: { readonly shown: Shown }) {
  return (
    <PlotCard
      title={REQUESTS_TITLE}
      unit={perStep('requests', SPANS[shown.span].step)}
      query={useReport('requests', shown)}
    >
      {(report) => {
        const steps = stepsOf(report);
        const head = headOf(report);
        const received = sumOf(steps, 'received_count');
        const completed = sumOf(steps, 'completed_count');
        const ended = completed + sumOf(steps, 'not_verified_count');
        return timeContent(REQUESTS_TITLE, outcomeOf(received, completed, ended), {
          ...head,
          isWhole: true,
          lines: LINES.map(([name, figure]) => lineOf(name, head.times, steps, (row) => row[figure])),
          format: count,
        });
      }}
    </PlotCard>
  );
}

/** What came in and ended, as a sentence that is true for one as well. */
function outcomeOf(received: number, completed: number, ended: number): string {
  if (received + ended === 0) return 'No request came in or ended in this time.';
  const came = `${count(received)} ${received === 1 ? 'request' : 'requests'} came in`;
  if (ended === 0) return `${came}; none has ended yet.`;
  const end = `${completed === 1 ? '' : 'not '}verified`;
  if (ended === 1 && received === 1) return `${came}; the request that ended was ${end}.`;
  if (ended === 1) return `${came}; 1 of the requests under way has ended, and was ${end}.`;
  return `${came}; ${count(completed)} of the ${count(ended)} that ended ${completed === 1 ? 'was' : 'were'} verified (${percent(completed / ended)}).`;
}

const IN_TIME_TITLE = 'Needed by a time';

/** Whether requests that were needed by a time had a result by then. */
export function InTimePlot({ shown }: { readonly shown: Shown }) {
  return (
    <PlotCard
      title={IN_TIME_TITLE}
      unit={perStep('requests', SPANS[shown.span].step)}
      query={useReport('requests', shown)}
    >
      {(report) => {
        const [steps, head] = [stepsOf(report), headOf(report)];
        const met = sumOf(steps, 'met_count');
        return timeContent(IN_TIME_TITLE, inTimeOf(met, met + sumOf(steps, 'overdue_count')), {
          ...head,
          isWhole: true,
          lines: LINES_IN_TIME.map(([name, figure]) => lineOf(name, head.times, steps, (row) => row[figure])),
          format: count,
        });
      }}
    </PlotCard>
  );
}

function inTimeOf(met: number, needed: number): string {
  if (needed === 0) return 'No request was needed by a time that has passed.';
  if (needed === 1) return `1 request was needed by a time; it had ${met === 1 ? 'a' : 'no'} result by then.`;
  return `Of ${count(needed)} needed by a time ${count(met)} had a result by then (${percent(met / needed)}).`;
}

interface TimesPlotProps {
  readonly of: 'result_times' | 'handling_times';
  readonly title: string;
  readonly shown: Shown;
}

/** Durations in one channel: the median, the 90th and the 99th percentile. */
export function TimesPlot({ of, title, shown }: TimesPlotProps) {
  const query = useReport(of, shown);
  const [chosen, setChosen] = useState<string | null | undefined>(undefined);
  const id = useId();
  const totals = byCount(query.data ? totalsOf(query.data) : []);
  const { channel = null } = totals.find((total) => total.channel === chosen) ?? totals[0] ?? {};
  const choice = totals.length > 1 && (
    <Field label="Channel" htmlFor={id}>
      <Select id={id} value={channel ?? ''} onChange={(event) => setChosen(event.target.value || null)}>
        {totals.map((total) => (
          <option key={total.channel} value={total.channel ?? ''}>
            {channelName(total.channel)}
          </option>
        ))}
      </Select>
    </Field>
  );
  return (
    <PlotCard title={title} unit="by channel; within 4.5 %" query={query} choice={choice}>
      {(report) => contentOf(title, report, channel)}
    </PlotCard>
  );
}

const byCount = (totals: readonly Row[]) =>
  totals.toSorted((one, other) => (other.count ?? 0) - (one.count ?? 0));

function contentOf(title: string, report: Report, channel: string | null) {
  const isOfChannel = (row: Row) => row.channel === channel;
  const total = totalsOf(report).find(isOfChannel);
  const took = tookOf(total, 'took');
  const sentence = took === null ? 'Nothing was timed in this time.' : `${channelName(channel)}: ${took}.`;
  return timeContent(title, sentence, timesData(report, stepsOf(report).filter(isOfChannel)));
}

/**
 * How long things took, as the part of a sentence after their channel: `1 took 4 min`, `half of 12 took up to 4 min, nine of
 * ten up to 9 min`. Null where nothing was timed.
 */
export function tookOf(total: Row | undefined, verb: 'took' | 'arrived within'): string | null {
  if (typeof total?.p50_ms !== 'number' || typeof total.p90_ms !== 'number') return null;
  const number = total.count ?? 0;
  if (number === 1) return `1 ${verb} ${time(total.p50_ms)}`;
  const upTo = verb === 'took' ? 'up to ' : '';
  const again = verb === 'took' ? 'up to' : 'within';
  return `half of ${count(number)} ${verb} ${upTo}${time(total.p50_ms)}, nine of ten ${again} ${time(total.p90_ms)}`;
}

/** The three quantiles of these steps; empty steps of the report are gaps. */
export function timesData(report: Report, steps: readonly Row[]) {
  const head = headOf(report);
  return {
    ...head,
    lines: [
      lineOf('p50', head.times, steps, (row) => row.p50_ms),
      lineOf('p90', head.times, steps, (row) => row.p90_ms),
      lineOf('p99', head.times, steps, (row) => row.p99_ms),
    ],
    format: time,
    isLogarithmic: true as const,
  };
}

const ANSWERS_TITLE = 'Payer answers within 20 s';

/** The share that the CORE rule asks for. */
const GOAL = 0.9;

const shareOf = (row: Row): number => (row.within_20_seconds_count ?? 0) / (row.count ?? 1);

/** How many X12 inquiries each payer answered in time, against the rule. */
export function AnswersPlot({ shown }: { readonly shown: Shown }) {
  const payerName = usePayerName();
  return (
    <PlotCard title={ANSWERS_TITLE} unit="of X12 inquiries, by payer" query={useReport('payer_times', shown)}>
      {(report) => {
        const [totals, steps, head] = [totalsOf(report), stepsOf(report), headOf(report)];
        const asked = sumOf(totals, 'count');
        return timeContent(ANSWERS_TITLE, answeredOf(totals, asked, payerName), {
          ...head,
          max: 1,
          lines: [
            ...totals.map(({ payer_id: payer }) => {
              const own = steps.filter(({ payer_id: one }) => one === payer);
              return lineOf(payerName(payer), head.times, own, shareOf);
            }),
            { name: 'CORE: 90 %', values: head.times.map(() => GOAL), isGoal: true as const },
          ],
          format: percent,
        });
      }}
    </PlotCard>
  );
}

/** How payers answered, as a sentence that is true for one payer and for one inquiry as well. */
function answeredOf(
  totals: readonly Row[],
  asked: number,
  payerName: ReturnType<typeof usePayerName>,
): string {
  const [only] = totals;
  if (asked === 0 || only === undefined) return 'No payer was asked over X12 in this time.';
  const missed = totals.filter((total) => shareOf(total) < GOAL);
  if (asked === 1)
    return `1 inquiry; the only payer, ${payerName(only.payer_id)}, ${missed.length === 0 ? 'answered' : 'did not answer'} within 20 seconds.`;
  const inquiries = `${count(asked)} inquiries`;
  if (missed.length > 0)
    return `${inquiries}; below the nine of ten that CORE asks for: ${missed
      .map((total) => `${payerName(total.payer_id)} (${percent(shareOf(total))})`)
      .join(', ')}.`;
  const who = totals.length === 1 ? `the only payer, ${payerName(only.payer_id)},` : 'every payer';
  return `${inquiries}; ${who} answered nine of ten within 20 seconds, as CORE asks.`;
}

const REASONS_TITLE = 'Why not verified';

const FIXED_BY = {
  patient_data: 'the party with the patient’s data',
  provider: 'the provider',
  payer: 'the payer',
  us: 'us',
} as const;

const byOf = ({ fixed_by: by }: Row): string => (by ? FIXED_BY[by] : 'no one party');

const nameOf = ({ reason }: Row): string => (reason ? reasonText(reason) : 'another reason');

/** The reasons of requests that could not be verified, and who has to act on each. */
export function ReasonsPlot({ shown }: { readonly shown: Shown }) {
  return (
    <PlotCard title={REASONS_TITLE} unit="requests, by reason" query={useReport('failure_reasons', shown)}>
      {({ items }) => {
        const all = sumOf(items, 'count');
        const [first] = items;
        const most = first?.count ?? 0;
        return {
          sentence:
            first === undefined
              ? 'No request ended without a verification in this time.'
              : `${count(all)} could not be verified${
                  most === all
                    ? `: ${nameOf(first)}`
                    : `; most often ${nameOf(first)} (${percent(most / all)})`
                }, for ${byOf(first)} to fix.`,
          table: {
            columns: ['Reason', 'To be fixed by', 'Requests'],
            rows: items.map((item) => [nameOf(item), byOf(item), count(item.count ?? 0)]),
            csv: items.map((item) => [item.reason ?? null, item.fixed_by ?? null, item.count ?? 0]),
          },
          ...(first !== undefined && {
            picture: (
              <BarList
                label={REASONS_TITLE}
                bars={items.slice(0, 8).map((item) => ({
                  key: item.reason ?? '',
                  name: nameOf(item),
                  note: `for ${byOf(item)}`,
                  text: count(item.count ?? 0),
                  share: (item.count ?? 0) / most,
                }))}
              />
            ),
          }),
        };
      }}
    </PlotCard>
  );
}
