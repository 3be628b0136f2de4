import type { ReactNode } from 'react';
import { Button, Disclosure as AriaDisclosure, DisclosurePanel } from 'react-aria-components';
import styles from './disclosure.module.css';
import { Icon } from './icon.js';

export type DisclosureProps = {
  /** What the button says: what is inside. */
  readonly title: ReactNode;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  /** Only there while it is open. */
  readonly children: ReactNode;
};

/** A part that unfolds below its title. Keep what is open in the address where it is worth sharing. */
export const Disclosure = ({ title, isOpen, onToggle, children }: DisclosureProps) => (
  <AriaDisclosure isExpanded={isOpen} onExpandedChange={onToggle} className={styles['disclosure'] ?? ''}>
    <Button slot="trigger" className={styles['trigger'] ?? ''}>
      <span className={styles['chevron']}>
        <Icon name="chevron-right" />
      </span>
      <span className={styles['title']}>{title}</span>
    </Button>
    <DisclosurePanel className={styles['panel'] ?? ''}>
      {isOpen && <div className={styles['content']}>{children}</div>}
    </DisclosurePanel>
  </AriaDisclosure>
);
