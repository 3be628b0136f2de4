/** Columns of equal spans of time or of classes, left to right; the same figures are a table below, which can be read aloud. */
import { barOf, domainWithZero } from './chart-scale.js';
import styles from './column-chart.module.css';

export type ChartColumn = {
  readonly id: string;
  readonly label: string;
  /** Longer than the label, e.g. with its day. */
  readonly title?: string;
  /** From zero on. */
  readonly value: number;
};

export type ColumnChartProps = {
  /** What is measured, of what; read aloud. */
  readonly label: string;
  readonly columns: readonly ChartColumn[];
  /** The figure with its unit. */
  readonly format: (value: number) => string;
  /** Opens the table: "As a table". */
  readonly tableLabel: string;
};

export const ColumnChart = ({ label, columns, format, tableLabel }: ColumnChartProps) => {
  const domain = domainWithZero(columns.map(({ value }) => value));
  return (
    <figure className={styles['figure']}>
      <div className={styles['ends']}>{format(domain.to)}</div>
      <div className={styles['chart']} role="img" aria-label={label}>
        {columns.map(({ id, label: name, title = name, value }) => (
          <span key={id} className={styles['column']} title={`${title}: ${format(value)}`}>
            <svg className={styles['bar']} viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">
              <rect
                className={styles['fill']}
                x={0}
                width={10}
                y={100 - barOf(value, domain).length}
                height={barOf(value, domain).length}
              />
            </svg>
          </span>
        ))}
      </div>
      <div className={styles['ends']} aria-hidden="true">
        <bdi>{columns.at(0)?.label}</bdi>
        <bdi>{columns.at(-1)?.label}</bdi>
      </div>
      <details className={styles['rows']}>
        <summary>{tableLabel}</summary>
        <table className={styles['table']}>
          <caption className={styles['ends']}>{label}</caption>
          <tbody>
            {columns.map(({ id, label: name, title = name, value }) => (
              <tr key={id}>
                <th scope="row">
                  <bdi>{title}</bdi>
                </th>
                <td>{format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
};
