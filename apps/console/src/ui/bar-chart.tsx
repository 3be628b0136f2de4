/** Bars of a few categories, with their figures beside them. */
import { Button } from 'react-aria-components';
import styles from './bar-chart.module.css';
import { barOf, domainWithZero, type Span } from './chart-scale.js';

export type Bar = {
  readonly id: string;
  readonly label: string;
  readonly value: number;
  /** What it is compared with, as a mark across the bar; the page says what that is, and its figure. */
  readonly compared?: number | undefined;
};
export type BarChartProps = {
  /** What is measured, of what; read aloud. */
  readonly label: string;
  readonly bars: readonly Bar[];
  /** The figure with its unit: `(value) => formats.percent(value)`. */
  readonly format: (value: number) => string;
  /** Drills down to a bar. */
  readonly onOpen?: (id: string) => void;
};

export const BarChart = ({ label, bars, format, onOpen }: BarChartProps) => {
  const domain = domainWithZero(bars.flatMap(({ value, compared }) => [value, compared ?? 0]));
  return (
    <ol className={styles['chart']} aria-label={label}>
      {bars.map(({ id, label: name, value, compared }) => {
        const { start, length } = barOf(value, domain);
        return (
          <li key={id} className={styles['row']}>
            {onOpen === undefined ? (
              <bdi className={styles['name']}>{name}</bdi>
            ) : (
              <Button className={styles['opener'] ?? ''} onPress={() => onOpen(id)}>
                <bdi className={styles['name']}>{name}</bdi>
              </Button>
            )}
            <svg className={styles['track']} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect className={styles['bar']} x={start} y={1} width={length} height={8} />
              {compared !== undefined && <Mark at={endOf(compared, domain)} />}
              <line className={styles['zero']} x1={barOf(0, domain).start} x2={barOf(0, domain).start} y1={0} y2={10} />
            </svg>
            <span className={styles['value']}>{format(value)}</span>
          </li>
        );
      })}
    </ol>
  );
};

const Mark = ({ at }: { readonly at: number }) => <line className={styles['mark']} x1={at} x2={at} y1={0} y2={10} />;

const endOf = (value: number, domain: Span): number => {
  const { start, length } = barOf(value, domain);
  return value < 0 ? start : start + length;
};
