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
        const met = sumOf(steps, 'met_count');
        const needed = met + sumOf(steps, 'overdue_count');
        const inTime =
          needed === 0
            ? ''
            : ` Of ${count(needed)} needed by a time ${count(met)} had a result by then (${percent(met / needed)}).`;
        const came = `${count(received)} ${received === 1 ? 'request' : 'requests'} came in`;
        const sentence =
          received + ended + needed === 0
            ? 'No request came in or ended in this time.'
            : ended === 0
              ? `${came}; none has ended yet.${inTime}`
              : `${came}; ${count(completed)} of the ${count(ended)} that ended were verified (${percent(completed / ended)}).${inTime}`;
        return timeContent(REQUESTS_TITLE, sentence, {
          ...head,
          isWhole: true,
          lines: LINES.map(([name, figure]) => lineOf(name, head.times, steps, (row) => row[figure])),
          format: count,
        });
      }}
    </PlotCard>
  );
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
  const sentence =
    typeof total?.p50_ms === 'number' && typeof total.p90_ms === 'number'
      ? `${channelName(channel)}: half of ${count(total.count ?? 0)} took up to ${time(total.p50_ms)}, nine of ten up to ${time(total.p90_ms)}.`
      : 'Nothing was timed in this time.';
  return timeContent(title, sentence, timesData(report, stepsOf(report).filter(isOfChannel)));
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
        const inquiries = `${count(asked)} ${asked === 1 ? 'inquiry' : 'inquiries'}`;
        const missed = totals.filter((total) => shareOf(total) < GOAL);
        const sentence =
          asked === 0
            ? 'No payer was asked over X12 in this time.'
            : missed.length === 0
              ? `${inquiries}; every payer answered nine of ten within 20 seconds, as CORE asks.`
              : `${inquiries}; below the nine of ten that CORE asks for: ${missed
                  .map((total) => `${payerName(total.payer_id)} (${percent(shareOf(total))})`)
                  .join(', ')}.`;
        return timeContent(ANSWERS_TITLE, sentence, {
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
              : `${count(all)} could not be verified; most often ${nameOf(first)} (${percent(most / all)}), for ${byOf(first)} to fix.`,
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
