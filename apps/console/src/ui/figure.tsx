import type { ReactNode } from 'react';
import { useFormats, useMessages } from '../language/language-provider.js';
import { uiMessages } from '../messages/ui/catalogue.js';
import styles from './figure.module.css';

export type FigureProps = {
  /** What it is: the name of the KPI. */
  readonly label: string;
  /** Undefined where there is none: shown as a gap, never as zero. */
  readonly value: number | undefined;
  /** `%` takes a share (0.0993); any other is written behind the number. Empty for a count. */
  readonly unit: string;
  /** Of what: the filter, the time, the place. */
  readonly scope: string;
  readonly target?: number;
  readonly digits?: number;
  /** A Sparkline, a badge. */
  readonly children?: ReactNode;
};

/** One figure, with its unit and with what it is of. */
export const Figure = ({ label, value, unit, scope, target, digits = 2, children }: FigureProps) => {
  const say = useMessages(uiMessages);
  const { number, percent } = useFormats();
  const write = (amount: number): string =>
    unit === '%'
      ? percent(amount, digits)
      : [number(amount, { maximumFractionDigits: digits }), unit].filter(Boolean).join('\u00a0');
  return (
    <dl className={styles['figure']}>
      <dt className={styles['label']}>
        <bdi>{label}</bdi>
      </dt>
      <dd className={styles['value']}>{value === undefined ? say('noValue') : write(value)}</dd>
      {target !== undefined && <dd className={styles['small']}>{say('target', { value: write(target) })}</dd>}
      <dd className={styles['small']}>
        <bdi>{scope}</bdi>
      </dd>
      {children !== undefined && <dd>{children}</dd>}
    </dl>
  );
};
