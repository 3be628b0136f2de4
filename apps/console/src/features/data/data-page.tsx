/** The tables and the models of the team, and a place to drop a file. */
import type { ReactNode } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { dataMessages } from '../../messages/data/catalogue.js';
import { FileDrop } from '../../ui/file-drop.js';
import { PageHead } from '../../ui/page-head.js';
import { Tabs } from '../../ui/tabs.js';
import { useChosenFile } from './data-area.js';
import styles from './data.module.css';

const tabIds = ['tables', 'models'] as const;
export type DataTab = (typeof tabIds)[number];

export type DataPageProps = {
  readonly tab: DataTab | undefined;
  readonly onTab: (tab: DataTab) => void;
  /** A file was chosen: where it is loaded. */
  readonly onLoad: () => void;
  readonly content: Readonly<Record<DataTab, ReactNode>>;
};

export const DataPage = ({ tab = 'tables', onTab, onLoad, content }: DataPageProps) => {
  const say = useMessages(dataMessages);
  return (
    <>
      <PageHead title={say('title')}>{say('lead')}</PageHead>
      <div className={styles['parts']}>
        <DropForLoad onLoad={onLoad} />
        <Tabs
          label={say('title')}
          selected={tab}
          onSelect={onTab}
          tabs={tabIds.map((id) => ({ id, label: say(id), content: content[id] }))}
        />
      </div>
    </>
  );
};

export const fileKinds = ['.csv', '.tsv', '.txt', 'text/csv'];

/** Keeps the file that is dropped or chosen, and goes on to where it is loaded. */
export const DropForLoad = ({ onLoad }: { readonly onLoad: () => void }) => {
  const say = useMessages(dataMessages);
  const { choose } = useChosenFile();
  const take = (file: File): void => {
    choose(file);
    onLoad();
  };
  return <FileDrop label={say('dropHere')} choose={say('chooseFile')} accept={fileKinds} onFile={take} />;
};
