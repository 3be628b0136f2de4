/** Links between pages: `<TextLink to="/processes">…</TextLink>`, with the addresses that the router knows. */
import { createLink } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Link as AriaLink, type LinkProps as AriaLinkProps } from 'react-aria-components';
import styles from './text-link.module.css';

const StyledLink = (props: AriaLinkProps & { readonly children?: ReactNode }) => (
  <AriaLink {...props} className={styles['link'] ?? ''} />
);

export const TextLink = createLink(StyledLink);
