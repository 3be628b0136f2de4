/** The KPIs of an answer as charts: bars of groups, lines over dates. The table below has the same values. */
import { lazy, Suspense, useMemo } from 'react';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { BarChart } from '../../ui/bar-chart.js';
import { Card } from '../../ui/card.js';
import { Skeleton } from '../../ui/skeleton.js';
import styles from './figures.module.css';
import { chartsOf, groupsOf, type Answered, type Chart } from './result-shape.js';
import { figureStyleOf, type Header } from './value-format.js';

/** The drawing of lines is large, and most answers have bars. */
const TimeSeries = lazy(async () => ({ default: (await import('../../ui/time-series.js')).TimeSeries }));

export type AnswerChartsProps = {
  readonly answered: Answered;
  /** Of a KPI: to the rows behind a group, by the place of its row. */
  readonly openerOf: (kpi: string) => ((id: string) => void) | undefined;
};

export const AnswerCharts = ({ answered, openerOf }: AnswerChartsProps) => {
  const say = useMessages(figuresMessages);
  const charts = useMemo(() => chartsOf(answered), [answered]);
  return charts.map((chart) => {
    const groups = groupsOf(answered.headers).map((header) => header.name);
    const title = say('kpiBy', { kpi: chart.kpi.name, groups: groups.join(', ') });
    return (
      <Card key={chart.kpi.id} title={title}>
        <ChartOf {...{ chart, answered, title }} onOpen={openerOf(chart.kpi.id)} />
        {chart.kind === 'bars' && chart.bars.some(({ compared }) => compared !== undefined) && (
          <p className={styles['note']}>{say('markedBefore')}</p>
        )}
        {chart.left > 0 && <p className={styles['note']}>{say('notDrawn', { count: chart.left })}</p>}
      </Card>
    );
  });
};

type ChartOfProps = Pick<AnswerChartsProps, 'answered'> & {
  readonly chart: Chart;
  readonly title: string;
  readonly onOpen: ((id: string) => void) | undefined;
};

const ChartOf = ({ chart, answered, title, onOpen }: ChartOfProps) => {
  const say = useMessages(figuresMessages);
  if (chart.kind === 'time') return <TimeChart {...{ chart, answered, title }} />;
  const write = answered.formatOf(chart.kpi);
  const shown = (value: number): string => (Number.isFinite(value) ? write(value) : say('nothing'));
  return <BarChart label={title} bars={chart.bars} format={shown} onOpen={onOpen} />;
};

type TimeChartProps = Pick<ChartOfProps, 'answered' | 'title'> & {
  readonly chart: Extract<Chart, { readonly kind: 'time' }>;
};

const TimeChart = ({ chart, answered, title }: TimeChartProps) => {
  const formats = useFormats();
  const { kpi, time, timesMs, series } = chart;
  // A chart is drawn again when its functions are others.
  const written = useMemo(() => {
    const { unit, factor } = figureStyleOf(kpi);
    return {
      format: answered.formatOf(kpi),
      formatAxis: (value: number) => (unit === '%' ? formats.percent(value * factor) : formats.compact(value)),
      formatTime: (timeMs: number) => timeWords(time, timeMs, answered, formats.date),
    };
  }, [kpi, time, answered, formats]);
  return (
    <Suspense fallback={<Skeleton shape="box" />}>
      <TimeSeries label={title} {...{ timesMs, series, ...written }} />
    </Suspense>
  );
};

/** Of a month its name; the axis also asks for days between the dates of the answer. */
const timeWords = (
  header: Header,
  timeMs: number,
  { formatOf, rows }: Answered,
  date: (timeMs: number) => string,
): string => {
  if (header.grain === undefined || rows.length === 0) return date(timeMs);
  const at = new Date(timeMs);
  const [year, month, day] = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  );
  return formatOf(header)(`${year}-${month}-${day}`);
};
