/** Links between pages: `<TextLink to="/processes">…</TextLink>`, with the addresses that the router knows. */
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import styles from './text-link.module.css';

/** One of the browser's own: the enter key on a link of React Aria loads the whole page anew. */
const StyledLink = ({ children, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} className={styles['link']}>
    {children}
  </a>
);

export const TextLink = createLink(StyledLink);
