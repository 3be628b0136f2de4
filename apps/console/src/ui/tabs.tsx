import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';
import styles from './tabs.module.css';

export type TabEntry<Id extends string> = { readonly id: Id; readonly label: string; readonly content: ReactNode };
export type TabsProps<Id extends string> = {
  /** What the tabs are parts of; read aloud. */
  readonly label: string;
  readonly tabs: readonly TabEntry<Id>[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
};

/** Parts of one thing, one at a time. Keep the chosen one in the address where it is worth sharing. */
export const Tabs = <Id extends string>({ label, tabs, selected, onSelect }: TabsProps<Id>) => (
  <AriaTabs
    selectedKey={selected}
    onSelectionChange={(key) => {
      const chosen = tabs.find(({ id }) => id === key);
      if (chosen !== undefined) onSelect(chosen.id);
    }}
  >
    <TabList aria-label={label} className={styles['list'] ?? ''}>
      {tabs.map((tab) => (
        <Tab key={tab.id} id={tab.id} className={styles['tab'] ?? ''}>
          {tab.label}
        </Tab>
      ))}
    </TabList>
    {tabs.map(({ id, content }) => (
      <TabPanel key={id} id={id} className={styles['panel'] ?? ''}>
        {content}
      </TabPanel>
    ))}
  </AriaTabs>
);
