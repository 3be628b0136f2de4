import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';
import styles from './navigation-link.module.css';

export type NavigationLinkProps = {
  /** Of the first page of an area. */
  readonly path: string;
  readonly icon: IconName;
  readonly children: ReactNode;
  /** Only the page itself counts as being there, not those below it. */
  readonly isExact?: boolean;
};

/** A link of the navigation; it says when the page is in its area. */
export const NavigationLink = ({ path, icon, children, isExact = false }: NavigationLinkProps) => (
  <Link to={path} className={styles['link']} activeOptions={{ exact: isExact }}>
    <Icon name={icon} />
    {children}
  </Link>
);

/** A tile that leads to an area. */
export const TileLink = ({
  path,
  icon,
  title,
  children,
}: Omit<NavigationLinkProps, 'isExact'> & { readonly title: string }) => (
  <Link to={path} className={styles['tile']}>
    <span className={styles['title']}>
      <Icon name={icon} />
      {title}
    </span>
    <span className={styles['text']}>{children}</span>
  </Link>
);
