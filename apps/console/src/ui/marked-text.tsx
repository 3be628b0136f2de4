import styles from './marked-text.module.css';

export type MarkedTextProps = {
  readonly text: string;
  /** Zero-based; behind the end marks the end. */
  readonly position: number;
  /** What is wrong there. */
  readonly message: string;
  /** Of the message. */
  readonly lang?: string;
};

/** So much of a long text is shown on each side of the mark. */
const shownMax = 60;

/** The word or sign that begins at a place. */
const lengthAt = (text: string, position: number): number =>
  /^(?:[\p{L}\p{M}\p{N}_.:-]+|'(?:[^']|'')*'?|[\ud800-\udbff][\udc00-\udfff]|[^])/u.exec(text.slice(position))?.[0]
    .length ?? 0;

/** A text, the place in it where something is wrong, and what. */
export const MarkedText = ({ text, position, message, lang }: MarkedTextProps) => {
  const end = Math.min(position + lengthAt(text, position), position + shownMax);
  const [first, last] = [Math.max(0, position - shownMax), Math.min(text.length, end + shownMax)];
  return (
    <div className={styles['marked']}>
      <code className={styles['text']} dir="auto">
        {first > 0 && '…'}
        {text.slice(first, position)}
        <mark className={styles['mark']}>{position < text.length ? text.slice(position, end) : '\u00a0'}</mark>
        {text.slice(end, last)}
        {last < text.length && '…'}
      </code>
      <p className={styles['message']} lang={lang}>
        <bdi>{message}</bdi>
      </p>
    </div>
  );
};
