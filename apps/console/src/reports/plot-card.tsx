import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, type ReactNode, useId, useState } from 'react';
import { Button } from '../look/button.tsx';
import { type CsvCell, download, toCsv } from '../look/download.ts';
import { Late } from '../look/late.tsx';
import layoutCss from '../look/layout.module.css';
import { Loaded } from '../look/loaded.tsx';
import { type Column, Table } from '../look/table.tsx';
import css from './reports.module.css';
import { type PlotData, stepName } from './use-report.ts';

const TimePlot = lazy(async () => {
  mendLanguage();
  return { default: (await import('./time-plot.tsx')).TimePlot };
});

/** A table of what a card shows. */
interface CardTable {
  readonly columns: readonly string[];
  /** As a person reads them. */
  readonly rows: readonly (readonly string[])[];
  /** As a program does. */
  readonly csv: readonly (readonly CsvCell[])[];
}

/** What a card shows: a picture, one sentence that reads it, and the same as a table. */
interface CardContent {
  readonly sentence: string;
  readonly table: CardTable;
  /** Left out when there is nothing to show: the sentence says so. */
  readonly picture?: ReactNode;
}

interface PlotCardProps<Data> {
  readonly title: string;
  readonly unit: string;
  readonly query: UseQueryResult<Data>;
  /** Chooses what of the data is shown. */
  readonly choice?: ReactNode;
  readonly children: (data: Data) => CardContent;
}

/** One plot with its title, its unit and one sentence that reads it; as a picture, a table or a file. */
export function PlotCard<Data>({ title, unit, query, choice, children }: PlotCardProps<Data>) {
  const [isTable, setIsTable] = useState(false);
  const id = useId();
  return (
    <article className={css.card} aria-labelledby={id}>
      <header className={css.cardHead}>
        <h2 id={id}>{title}</h2>
        <span className={css.unit}>{unit}</span>
      </header>
      <Loaded query={query} what="report" skeleton={<div className={css.skeleton} />}>
        {(data) => {
          const { sentence, table, picture } = children(data);
          return (
            <>
              <p className={css.sentence}>{sentence}</p>
              {choice}
              <div className={css.body}>
                {isTable || picture === undefined ? (
                  table.rows.length > 0 && (
                    <div className={css.scroll} tabIndex={0} role="region" aria-label={title}>
                      <Table
                        caption={title}
                        items={table.rows}
                        columns={table.columns.map((head, index): Column<readonly string[]> => ({
                          head,
                          cell: (row) => row[index],
                        }))}
                        keyOf={(row) => row.join()}
                      />
                    </div>
                  )
                ) : (
                  <Late skeleton={<div className={css.skeleton} />}>{picture}</Late>
                )}
              </div>
              {table.rows.length > 0 && (
                <div className={layoutCss.row}>
                  {picture !== undefined && (
                    <Button aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
                      Table
                    </Button>
                  )}
                  <Button
                    onClick={() =>
                      download(`${fileName(title)}.csv`, 'text/csv', toCsv(table.columns, table.csv))
                    }
                  >
                    CSV
                  </Button>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </article>
  );
}

const fileName = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/**
 * The same data from the first step that has any: a young service is no month of nothing. Null where no step has.
 */
function sinceFirst(data: PlotData): PlotData | null {
  const lines = data.lines.filter(({ isGoal }) => !isGoal);
  const first = data.times.findIndex((_, index) => lines.some(({ values }) => (values[index] ?? 0) > 0));
  const ms = data.times[first];
  if (ms === undefined) return null;
  return {
    ...data,
    times: data.times.slice(first),
    from: new Date(ms).toISOString(),
    lines: data.lines.map((line) => ({ ...line, values: line.values.slice(first) })),
  };
}

/** A card's content for lines over time, which begin with the first step that has a value. */
export function timeContent(title: string, sentence: string, report: PlotData): CardContent {
  const since = sinceFirst(report);
  const data = since ?? report;
  const lines = data.lines.filter(({ isGoal }) => !isGoal);
  return {
    sentence,
    table: {
      columns: ['From', ...lines.map(({ name }) => name)],
      rows: since
        ? data.times.map((ms, index) => [
            stepName(ms, data),
            ...lines.map(({ values }) => {
              const value = values[index];
              return value === null || value === undefined ? '–' : data.format(value);
            }),
          ])
        : [],
      csv: data.times.map((ms, index) => [
        new Date(ms).toISOString(),
        ...lines.map(({ values }) => values[index] ?? null),
      ]),
    },
    ...(since && { picture: <TimePlot title={title} data={since} /> }),
  };
}

/** One bar: what it is of, its value as text, and its length as a share of the longest. */
interface Bar {
  readonly key: string;
  readonly name: string;
  readonly note?: string;
  readonly text: string;
  readonly share: number;
}

/** Named values with a bar for each, longest the greatest. The text says it all; the bar is for the eye. */
export function BarList({ label, bars }: { readonly label: string; readonly bars: readonly Bar[] }) {
  return (
    <ul className={css.bars} aria-label={label}>
      {bars.map(({ key, name, note, text, share }) => (
        <li key={key}>
          <span className={css.barName}>
            {name}
            {note !== undefined && <span className={css.note}> {note}</span>}
          </span>
          <span className={css.barText}>{text}</span>
          <svg className={css.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect width={Math.max(share * 100, share > 0 ? 0.5 : 0)} height="1" />
          </svg>
        </li>
      ))}
    </ul>
  );
}

/**
 * Gives a browser whose language is no valid tag, such as `en-US@posix` where it was started without a locale, a valid
 * one: uPlot reads the number format as it loads, and would throw.
 */
function mendLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
  }
}
