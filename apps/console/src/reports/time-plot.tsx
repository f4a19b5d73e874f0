import { useEffect, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css'; // oxlint-disable-line import/no-unassigned-import -- styles have no name
import css from './reports.module.css';
import { type PlotData, type PlotLine, stepName } from './use-report.ts';

const HEIGHT = 200;

/** Each line's dashes, in pixels, so that lines differ without colour too. */
const DASHES: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 2]];

/** With at most this many steps each value is a point: a lone value makes no line. */
const POINTS_MAX = 32;

interface TimePlotProps {
  readonly title: string;
  readonly data: PlotData;
}

/**
 * Lines over time on a canvas. The pointer or, once it has the focus, the arrow keys, Home and End move a cursor; the
 * legend shows the values there, also to a screen reader.
 */
export function TimePlot({ title, data }: TimePlotProps) {
  const { times, lines, format } = data;
  const [cursor, setCursor] = useState<number | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const look = useLook();
  const last = times.length - 1;
  const latest = latestOf(data);
  const at = cursor === null ? null : Math.min(cursor, last);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const made = new uPlot(optionsOf(data, element, setCursor), valuesOf(data), element);
    plot.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [data, look]);

  const go = (index: number) => {
    const next = Math.max(0, Math.min(index, last));
    setCursor(next);
    const made = plot.current;
    const ms = times[next];
    if (made && ms !== undefined)
      made.setCursor({ left: made.valToPos(ms / 1_000, 'x'), top: HEIGHT / 2 }, false);
  };
  const steps: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => go((at ?? last + 1) - 1),
    ArrowRight: () => go((at ?? -1) + 1),
    Home: () => go(0),
    End: () => go(last),
  };
  const valueText =
    at === null ? 'No step chosen' : `${stepName(times[at] ?? 0, data)}: ${spoken(lines, at, format)}`;

  return (
    <>
      <div
        ref={frame}
        className={css.plot}
        role="slider"
        tabIndex={0}
        aria-label={`${title}: choose a step`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? 0}
        aria-valuetext={valueText}
        onKeyDown={(event) => {
          const step = steps[event.key];
          if (!step) return;
          event.preventDefault();
          step();
        }}
      />
      <ul className={css.legend}>
        <li className={css.when}>
          {at === null && latest === last
            ? `This ${data.step} so far`
            : stepName(times[at ?? latest] ?? 0, data)}
        </li>
        {lines.map((line, index) => (
          <li key={line.name}>
            <svg width="22" height="8" aria-hidden="true">
              <line
                x1="0"
                y1="4"
                x2="22"
                y2="4"
                strokeWidth={line.isGoal ? 1 : 2}
                strokeDasharray={dashOf(line, index).join(' ')}
                className={line.isGoal ? css.goal : css[`line${(index % 5) + 1}`]}
              />
            </svg>
            {line.name} <b>{valueAt(line, at ?? latest, format)}</b>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The step that shows before one is chosen: the one that runs, unless it has just begun and has nothing yet. */
const latestOf = ({ times, lines }: PlotData): number => {
  const last = times.length - 1;
  const hasValue = lines.some(({ isGoal, values }) => !isGoal && (values[last] ?? 0) > 0);
  return hasValue || last < 1 ? last : last - 1;
};

const dashOf = ({ isGoal }: PlotLine, index: number): number[] =>
  isGoal ? [3, 3] : [...(DASHES[index % 5] ?? [])];

const valueAt = ({ values }: PlotLine, index: number, format: PlotData['format']): string => {
  const value = values[index];
  return value === null || value === undefined ? '–' : format(value);
};

const spoken = (lines: readonly PlotLine[], index: number, format: PlotData['format']): string =>
  lines.map((line) => `${line.name} ${valueAt(line, index, format)}`).join(', ');

const valuesOf = ({ times, lines }: PlotData): uPlot.AlignedData => [
  times.map((ms) => ms / 1_000),
  ...lines.map(({ values }) => [...values]),
];

function optionsOf(
  data: PlotData,
  element: HTMLElement,
  onCursor: (index: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis: uPlot.Axis = {
    stroke: colour('--quiet'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1, size: 4 },
    font: `12px ${style.fontFamily}`,
  };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 7 } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), data.zone),
    scales: {
      x: { range: () => [Date.parse(data.from) / 1_000, Date.parse(data.until) / 1_000] },
      // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- a const enum, which has no value to import
      y: data.isLogarithmic
        ? { distr: 3, range: (_plot, min, max) => logRange(min, max) }
        : { range: (_plot, _min, max) => [0, data.max ?? Math.max(max * 1.1, 1)] },
    },
    axes: [
      axis,
      {
        ...axis,
        size: 58,
        ...(data.isWhole && { incrs: WHOLE_STEPS }),
        values: (_plot, splits) => splits.map((value) => (value === null ? null : data.format(value))),
      },
    ],
    series: [
      {},
      ...data.lines.map((line, index) => {
        const stroke = colour(line.isGoal ? '--quiet' : `--plot-${(index % 5) + 1}`);
        return {
          label: line.name,
          stroke,
          width: line.isGoal ? 1 : 2,
          dash: dashOf(line, index),
          points: {
            show: !line.isGoal && data.times.length <= POINTS_MAX,
            size: 5,
            fill: stroke,
            filter: () => withValue(line),
          },
        };
      }),
    ],
    hooks: { setCursor: [(plot) => onCursor(plot.cursor.idx ?? null)] },
  };
}

/** The steps of a line that have a value: nothing is no point. */
const withValue = ({ values }: PlotLine): number[] =>
  values.flatMap((value, index) => (value !== null && value > 0 ? [index] : []));

const WHOLE_STEPS = [0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
);

/** Ticks at powers of ten, each with its label. */
function logRange(min: number, max: number): [number, number] {
  const low = Math.floor(Math.log10(Math.max(min, 1)));
  const high = Math.ceil(Math.log10(Math.max(max, 1)));
  return [10 ** low, 10 ** Math.max(high, low + 1)];
}

const QUERIES = ['(prefers-color-scheme: dark)', '(forced-colors: active)'];

/** A value that changes with the page's colours: the canvas is drawn again then. */
function useLook(): string {
  const media = useMemo(() => QUERIES.map((query) => matchMedia(query)), []);
  const read = () => media.map(({ matches }) => String(matches)).join();
  const [look, setLook] = useState(read);
  useEffect(() => {
    const change = () => setLook(read());
    for (const query of media) query.addEventListener('change', change);
    return () => {
      for (const query of media) query.removeEventListener('change', change);
    };
  }, [media]);
  return look;
}
