import { useEffect, type ReactNode } from 'react';
import styles from './page-head.module.css';

export type PageHeadProps = {
  /** Of the page and of the browser's tab. */
  readonly title: string;
  /** The way here: TextLinks, from the area down. */
  readonly trail?: readonly ReactNode[];
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
};

/** How every page begins: with its one `h1`. */
export const PageHead = ({ title, trail = [], children, actions }: PageHeadProps) => {
  useEffect(() => {
    // Marks of direction around values are for sentences, not for tabs.
    document.title = `${title.replaceAll(/[\u2068\u2069]/g, '')} · Tessera`;
  }, [title]);
  return (
    <header className={styles['head']}>
      {trail.length > 0 && (
        <ol className={styles['trail']}>
          {trail.map((step, at) => (
            <li key={at}>{step}</li>
          ))}
        </ol>
      )}
      <div className={styles['line']}>
        <h1 className={styles['title']}>
          <bdi>{title}</bdi>
        </h1>
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </div>
      {children !== undefined && <div className={styles['text']}>{children}</div>}
    </header>
  );
};
