/** What an agent wrote: paragraphs, lists and tables of plain text. Never markup, and no link that it made up. */
import { useMemo, type ReactNode } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { askMessages } from '../../messages/ask/catalogue.js';
import { AreaLink } from '../../ui/area-link.js';
import { Unseen } from '../../ui/live-region.js';
import { PlainTable } from '../../ui/plain-table.js';
import type { Block, Line, Mark } from './answer-blocks.js';
import { readMarkedBlocks, type AnswerMark } from './answer-marks.js';
import styles from './answer-text.module.css';

export type AnswerTextProps = { readonly text: string; readonly marks?: readonly AnswerMark[] };

export const AnswerText = ({ text, marks = noMarks }: AnswerTextProps) => {
  const blocks = useMemo(() => readMarkedBlocks(text, marks), [text, marks]);
  return (
    <>
      <div className={styles['text']} dir="auto">
        {blocks.map((block, at) => (
          <AnswerBlock key={at} block={block} />
        ))}
      </div>
      <Legend marks={marks} />
    </>
  );
};

const noMarks: readonly AnswerMark[] = [];

/** What the marks of the text mean. */
const Legend = ({ marks }: { readonly marks: readonly AnswerMark[] }) => {
  const say = useMessages(askMessages);
  const kinds = new Set(marks.map(({ mark }) => mark.kind));
  return (
    <>
      {kinds.has('unverified') && (
        <p className={styles['legend']}>
          <mark className={styles['unverified']} aria-hidden>
            123
          </mark>{' '}
          {say('unverifiedLegend')}
        </p>
      )}
      {kinds.has('evidence') && <p className={styles['legend']}>{say('evidenceLegend')}</p>}
    </>
  );
};

const AnswerBlock = ({ block }: { readonly block: Block }) => {
  const say = useMessages(askMessages);
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return (
        <p dir="auto" className={block.kind === 'heading' ? styles['heading'] : undefined}>
          {block.lines.map((line, at) => (
            <span key={at} className={styles['line']}>
              <Words line={line} />
            </span>
          ))}
        </p>
      );
    case 'list': {
      const items = block.items.map((item, at) => (
        <li key={at} dir="auto">
          <Words line={item} />
        </li>
      ));
      return block.isOrdered ? (
        <ol className={styles['ordered']}>{items}</ol>
      ) : (
        <ul className={styles['list']}>{items}</ul>
      );
    }
    case 'table':
      return (
        <PlainTable
          label={say('answer')}
          heads={block.heads.map((head, at) => (
            <Words key={at} line={head} />
          ))}
          rows={block.rows.map((row) => row.map((cell, at) => <Words key={at} line={cell} />))}
          isEnd={block.isEnd}
        />
      );
    case 'code':
      return (
        <pre className={styles['code']} dir="ltr">
          <Words line={block.line} />
        </pre>
      );
  }
};

const Words = ({ line }: { readonly line: Line }) =>
  line.map(({ kind, text, mark }, at) => {
    const shown = mark === undefined ? text : <Marked mark={mark}>{text}</Marked>;
    switch (kind) {
      case 'strong':
        return <strong key={at}>{shown}</strong>;
      case 'code':
        return <code key={at}>{shown}</code>;
      case 'text':
        return <span key={at}>{shown}</span>;
    }
  });

const Marked = ({ mark, children }: { readonly mark: Mark; readonly children: ReactNode }) => {
  const say = useMessages(askMessages);
  if (mark.kind === 'evidence') return <AreaLink {...mark.page}>{children}</AreaLink>;
  return (
    <mark className={styles['unverified']}>
      {children}
      <Unseen> ({say('unverified')})</Unseen>
    </mark>
  );
};
