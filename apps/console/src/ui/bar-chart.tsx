/** Bars of a few categories, with their figures beside them. */
import { Button } from 'react-aria-components';
import styles from './bar-chart.module.css';
import { barOf, domainWithZero } from './chart-scale.js';

export type Bar = { readonly id: string; readonly label: string; readonly value: number };
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
  const domain = domainWithZero(bars.map(({ value }) => value));
  return (
    <ol className={styles['chart']} aria-label={label}>
      {bars.map(({ id, label: name, value }) => {
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
              <line className={styles['zero']} x1={barOf(0, domain).start} x2={barOf(0, domain).start} y1={0} y2={10} />
            </svg>
            <span className={styles['value']}>{format(value)}</span>
          </li>
        );
      })}
    </ol>
  );
};
