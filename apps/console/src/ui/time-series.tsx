/** Figures over time, as lines. A page shows the same values as a table beside it: a canvas says nothing to who cannot see it. */
import { useEffect, useRef } from 'react';
import Plot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useMessages, usePreferences } from '../language/language-provider.js';
import { uiMessages } from '../messages/ui/catalogue.js';
import styles from './time-series.module.css';

export type Series = {
  readonly label: string;
  /** One for each time; null is a gap. */
  readonly values: readonly (number | null)[];
};
export type TimeSeriesProps = {
  /** What is shown, of what; read aloud. */
  readonly label: string;
  /** Milliseconds since 1970, ascending. */
  readonly timesMs: readonly number[];
  /** At most six. */
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** Of the axis, where figures with their units are too long. */
  readonly formatAxis?: (value: number) => string;
  /** Of the axis and of the value under the pointer. */
  readonly formatTime: (timeMs: number) => string;
  readonly height?: number;
};

type PlotProps = TimeSeriesProps &
  Required<Pick<TimeSeriesProps, 'height' | 'formatAxis'>> & { readonly timeLabel: string };

const heightDefault = 260;
const seriesMax = 6;
/** A date with its year. */
const timeLabelWidth = 110;

export const TimeSeries = (props: TimeSeriesProps) => {
  const { label, timesMs, series, format, formatAxis = format, formatTime, height = heightDefault } = props;
  const place = useRef<HTMLDivElement>(null);
  const { theme } = usePreferences();
  const timeLabel = useMessages(uiMessages)('time');
  useEffect(() => {
    const { current } = place;
    if (current === null) return undefined;
    const data: Plot.AlignedData = [
      timesMs.map((timeMs) => timeMs / 1_000),
      ...series.slice(0, seriesMax).map(({ values }) => [...values]),
    ];
    const draw = (): Plot =>
      new Plot(
        optionsOf({ label, timesMs, series, format, formatAxis, formatTime, height, timeLabel }, current),
        data,
        current,
      );
    let plot = draw();
    const redraw = (): void => {
      plot.destroy();
      plot = draw();
    };
    const resized = new ResizeObserver(() => plot.setSize({ width: current.clientWidth, height }));
    resized.observe(current);
    // Colours of a canvas do not follow the system by themselves.
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', redraw);
    return () => {
      dark.removeEventListener('change', redraw);
      resized.disconnect();
      plot.destroy();
    };
  }, [label, timesMs, series, format, formatAxis, formatTime, height, timeLabel, theme]);
  return <div ref={place} className={styles['chart']} role="img" aria-label={label} />;
};

const optionsOf = (props: PlotProps, place: HTMLElement): Plot.Options => {
  const colourOf = colourReader(place);
  const axis = { stroke: colourOf('--color-muted'), grid: { stroke: colourOf('--color-border'), width: 1 } };
  const timeOf = (seconds: number | null): string => (seconds === null ? '' : props.formatTime(seconds * 1_000));
  return {
    ...{ width: place.clientWidth, height: props.height },
    cursor: { drag: { x: false, y: false } },
    axes: [
      { ...axis, space: timeLabelWidth, values: (_plot, splits) => splits.map(timeOf) },
      { ...axis, size: 72, values: (_plot, splits) => splits.map(props.formatAxis) },
    ],
    series: [
      { label: props.timeLabel, value: (_plot, seconds) => timeOf(seconds) },
      ...props.series.slice(0, seriesMax).map(({ label }, at) => ({
        ...{ label, stroke: colourOf(`--color-series-${at + 1}`), width: 2 },
        value: (_plot: Plot, value: number | null) => (value === null ? '' : props.format(value)),
      })),
    ],
  };
};

/** A canvas knows no variables and no `light-dark()`: an element has to say what they are now. */
const colourReader = (place: HTMLElement): ((name: string) => string) => {
  const probe = document.createElement('span');
  place.append(probe);
  const colours = new Map<string, string>();
  queueMicrotask(() => probe.remove());
  return (name) => {
    const known = colours.get(name);
    if (known !== undefined) return known;
    probe.style.color = `var(${name})`;
    const { color } = getComputedStyle(probe);
    colours.set(name, color);
    return color;
  };
};
