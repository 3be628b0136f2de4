/** What an agent wrote: paragraphs, lists and tables of plain text. Never markup, and no link that it made up. */
import { useMemo } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { askMessages } from '../../messages/ask/catalogue.js';
import { PlainTable } from '../../ui/plain-table.js';
import { readBlocks, type Block, type Line } from './answer-blocks.js';
import styles from './answer-text.module.css';

export const AnswerText = ({ text }: { readonly text: string }) => {
  const blocks = useMemo(() => readBlocks(text), [text]);
  return (
    <div className={styles['text']} dir="auto">
      {blocks.map((block, at) => (
        <AnswerBlock key={at} block={block} />
      ))}
    </div>
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
          {block.text}
        </pre>
      );
  }
};

const Words = ({ line }: { readonly line: Line }) =>
  line.map(({ kind, text }, at) => {
    switch (kind) {
      case 'strong':
        return <strong key={at}>{text}</strong>;
      case 'code':
        return <code key={at}>{text}</code>;
      case 'text':
        return <span key={at}>{text}</span>;
    }
  });
