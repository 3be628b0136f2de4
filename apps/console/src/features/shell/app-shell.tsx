/** What is around every page: the areas, the account, and the place where the page is. */
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { shellMessages } from '../../messages/shell/catalogue.js';
import { IconButton } from '../../ui/button.js';
import { classNames } from '../../ui/class-names.js';
import { NavigationLink } from '../../ui/navigation-link.js';
import logo from '../../ui/tessera.svg';
import { ToastRegion } from '../../ui/toast.js';
import { AccountMenu } from './account-menu.js';
import styles from './app-shell.module.css';
import { useAreas } from './areas.js';

const contentId = 'content';
/** A page of the gateway itself. */
const referencePath = '/docs';

export const AppShell = ({ children }: { readonly children: ReactNode }) => {
  const say = useMessages(shellMessages);
  const areas = useAreas();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [shownAt, setShownAt] = useState<string>();
  const isShown = shownAt === path;
  const content = useFocusOnNewPage(path);
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href={`#${contentId}`}>
        {say('skip')}
      </a>
      <header className={styles['bar']}>
        <span className={styles['toggle']}>
          <IconButton
            label={say(isShown ? 'closeNavigation' : 'openNavigation')}
            icon={isShown ? 'close' : 'menu'}
            aria-expanded={isShown}
            onPress={() => setShownAt(isShown ? undefined : path)}
          />
        </span>
        <span className={styles['brand']}>
          <img src={logo} alt="" />
          Tessera
        </span>
        <AccountMenu />
      </header>
      <nav className={classNames(styles['areas'], isShown && styles['shown'])} aria-label={say('navigation')}>
        <NavigationLink path="/" icon="home" isExact>
          {say('home')}
        </NavigationLink>
        {areas.map((area) => (
          <NavigationLink key={area.path} path={area.path} icon={area.icon}>
            {area.title}
          </NavigationLink>
        ))}
        <a className={styles['reference']} href={referencePath}>
          {say('reference')}
        </a>
      </nav>
      <main id={contentId} ref={content} className={styles['content']} tabIndex={-1}>
        {children}
      </main>
      <ToastRegion />
    </div>
  );
};

/** Who does not see the page hears that there is a new one. */
const useFocusOnNewPage = (path: string) => {
  const content = useRef<HTMLElement>(null);
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    content.current?.focus({ preventScroll: true });
  }, [path]);
  return content;
};
