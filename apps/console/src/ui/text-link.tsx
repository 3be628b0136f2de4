/** Links between pages: `<TextLink to="/processes">…</TextLink>`, with the addresses that the router knows; one as a button for what a page is for. */
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import buttonStyles from './button.module.css';
import { classNames } from './class-names.js';
import styles from './text-link.module.css';

/** One of the browser's own: the enter key on a link of React Aria loads the whole page anew. */
const StyledLink = ({ children, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} className={styles['link']}>
    {children}
  </a>
);

export const TextLink = createLink(StyledLink);

const StyledButtonLink = ({ children, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} className={classNames(buttonStyles['button'], buttonStyles['primary'])}>
    {children}
  </a>
);

/** Looks like a primary button and leads to another page: "Add a member". */
export const ButtonLink = createLink(StyledButtonLink);
