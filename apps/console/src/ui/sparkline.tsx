import { linePath } from './chart-scale.js';
import styles from './sparkline.module.css';

export type SparklineProps = {
  /** What it shows in words, the last value too: there are no axes. */
  readonly label: string;
  /** Equally far apart; null is a gap. */
  readonly values: readonly (number | null)[];
};

/** The course of a figure in the size of a line of text. */
export const Sparkline = ({ label, values }: SparklineProps) => (
  <svg className={styles['sparkline']} viewBox="-2 -2 104 28" preserveAspectRatio="none" role="img" aria-label={label}>
    <path d={linePath(values, 100, 24)} />
  </svg>
);
