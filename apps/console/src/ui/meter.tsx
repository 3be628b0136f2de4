import styles from './meter.module.css';

export type MeterProps = {
  /** What is measured; read aloud. */
  readonly label: string;
  /** How much it is, in words: shown above. */
  readonly text: string;
  /** 0 to 1. */
  readonly share: number;
};

/** How much there is of what there can be. */
export const Meter = ({ label, text, share }: MeterProps) => (
  <div className={styles['meter']}>
    <span>{text}</span>
    <meter className={styles['bar']} aria-label={label} aria-valuetext={text} min={0} max={1} value={share} />
  </div>
);
