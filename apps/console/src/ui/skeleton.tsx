import { useMessages } from '../language/language-provider.js';
import { uiMessages } from '../messages/ui/catalogue.js';
import styles from './skeleton.module.css';

export type SkeletonProps = {
  /** Read aloud; "Loading" when left out. */
  readonly label?: string;
  /** How many lines of text it stands for. */
  readonly lines?: number;
  /** `box` stands for a chart, a table or a card. */
  readonly shape?: 'text' | 'box';
};

/** Stands where something will be, in its size, while it is loaded. */
export const Skeleton = ({ label, lines = 1, shape = 'text' }: SkeletonProps) => {
  const say = useMessages(uiMessages);
  return (
    <span className={styles['skeleton']} role="status" aria-label={label ?? say('loading')}>
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} className={styles[shape]} />
      ))}
    </span>
  );
};
