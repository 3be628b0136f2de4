/** The pages of an area, side by side, each with an address of its own: `<SectionLink to="/administration/keys">…</SectionLink>`. */
import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import styles from './section-links.module.css';

const StyledLink = ({ children, ...rest }: ComponentProps<'a'>) => (
  <li>
    <a {...rest} className={styles['link']}>
      {children}
    </a>
  </li>
);

export const SectionLink = createLink(StyledLink);

/** Around SectionLinks; the label says of what they are the pages. */
export const SectionLinks = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <nav aria-label={label}>
    <ul className={styles['list']}>{children}</ul>
  </nav>
);
