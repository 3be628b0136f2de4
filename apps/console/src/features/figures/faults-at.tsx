import type { CallFault } from '../../api/failures.js';
import { MarkedText } from '../../ui/marked-text.js';
import styles from './figures.module.css';

/** The server speaks English. */
const serverLanguage = 'en';

export type FaultsAtProps = {
  readonly faults: readonly CallFault[];
  /** What the positions count in; without it only the messages are shown. */
  readonly text?: string;
};

/** What the server says is wrong with one part of a question, each at its place in the text. */
export const FaultsAt = ({ faults, text }: FaultsAtProps) => {
  if (faults.length === 0) return null;
  return (
    <div className={styles['faults']} role="alert">
      {faults.map(({ message, position }, at) =>
        text !== undefined && position !== undefined ? (
          <MarkedText key={at} text={text} position={position} message={message} lang={serverLanguage} />
        ) : (
          <p key={at} className={styles['fault']} lang={serverLanguage}>
            <bdi>{message}</bdi>
          </p>
        ),
      )}
    </div>
  );
};
