import styles from './code-block.module.css';
import { CopyButton } from './copy-button.js';
import { TextArea } from './field.js';
import { shorten } from './foreign-text.js';

export type CodeBlockProps = {
  readonly text: string;
  /** What it is: its label, and what the button copies. */
  readonly what: string;
};

/** A browser is slow with more; the button copies all of it. */
const lengthShownMax = 50_000;
const rowsMax = 24;

/** Code, files and JSON, to read and to copy. */
export const CodeBlock = ({ text, what }: CodeBlockProps) => (
  <div className={styles['block']}>
    <span className={styles['copy']}>
      <CopyButton text={text} what={what} />
    </span>
    <TextArea
      label={what}
      value={shorten(text, lengthShownMax)}
      onChange={() => undefined}
      isReadOnly
      isCode
      rows={Math.min(text.split('\n').length + 1, rowsMax)}
    />
  </div>
);
