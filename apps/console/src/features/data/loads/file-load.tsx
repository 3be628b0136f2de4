/** A file that is loaded: how it is read, where its rows go, how that goes on and how it ended. */
import type { LoadMode, TableDefinition } from '@tessera/contracts/knowledge-models';
import { useMemo, useState } from 'react';
import { useFormats, useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { Notice } from '../../../ui/badge.js';
import { Button } from '../../../ui/button.js';
import { Card } from '../../../ui/card.js';
import { ComboBox } from '../../../ui/combobox.js';
import { ForeignText } from '../../../ui/foreign-text.js';
import { AskBeforeLeaving } from '../ask-before-leaving.js';
import { useChosenFile } from '../data-area.js';
import { detectSettings, previewOf, type FileStart, type ReadSettings } from '../csv/csv-preview.js';
import styles from '../data.module.css';
import { fullNameOf, type ListedTable } from '../tables/find-tables.js';
import { FileReading } from './file-reading.js';
import { KnownTable } from './known-table.js';
import { sizeOf } from './load-state.js';
import { LoadStateView } from './load-view.js';
import ownStyles from './loads.module.css';
import { NewTable } from './new-table.js';
import { useFileLoad, type Destination } from './use-file-load.js';

export type FileLoadProps = {
  readonly file: File;
  readonly start: FileStart;
  readonly tables: readonly ListedTable[];
  /** `schema.table`; undefined for a new one. */
  readonly table: string | undefined;
  readonly mode: LoadMode | undefined;
  readonly onTable: (table: string | undefined) => void;
  readonly onMode: (mode: LoadMode) => void;
};

/** Of a table, as the server has it. */
const columnsMax = 1_000;

export const FileLoad = ({ file, start, tables, table: name, mode = 'replace', onTable, onMode }: FileLoadProps) => {
  const say = useMessages(dataMessages);
  const { choose } = useChosenFile();
  const [settings, setSettings] = useState(() => detectSettings(start));
  const preview = useMemo(() => previewOf(start, settings), [start, settings]);
  const known = tables.find((each) => fullNameOf(each) === name);
  const { view, asked, made, cancel, load, retry, shrink, mend } = useFileLoad(file, settings);
  const isLoading = view.kind === 'running';
  const isDone = view.kind === 'ended' && view.outcome.kind === 'committed';
  const chooseOther = (): void => choose(undefined);
  const shared = { preview, isLoading, isMain: view.kind === 'idle' };
  const isWide = preview.width > columnsMax;
  const hasColumns = preview.width > 0 && !isWide;
  return (
    <>
      <FileCard file={file} onOther={chooseOther} isDisabled={isLoading} />
      {asked !== undefined && (
        <LoadStateView
          {...{ view, table: asked.table, fileBytes: file.size }}
          {...{ onCancel: cancel, onMend: mend, onRetry: retry, onShrink: shrink }}
        />
      )}
      {!isDone && (
        <div className={styles['parts']} inert={isLoading}>
          <FileReading settings={settings} preview={preview} onChange={setSettings} />
          {isWide && <Notice tone="danger">{say('manyColumns', { count: columnsMax })}</Notice>}
          {hasColumns && <TableChoice tables={tables} selected={known && fullNameOf(known)} onTable={onTable} />}
          {!hasColumns ? null : known === undefined ? (
            <NewTable
              key={keyOf(settings)}
              {...shared}
              fileName={file.name}
              schemas={tables.map(({ schema }) => schema)}
              taken={tables.map(fullNameOf).filter((each) => !made.includes(each))}
              onLoad={(definition) => load(destinationOf(definition))}
            />
          ) : (
            <KnownTable
              key={`${fullNameOf(known)} ${keyOf(settings)}`}
              {...shared}
              {...{ table: known, mode, onMode }}
              onLoad={(columns, askedMode) =>
                load({ table: known, columns, mode: askedMode, empty: known.source?.null })
              }
            />
          )}
        </div>
      )}
      <AskBeforeLeaving isNeeded={isLoading} title={say('leaveTitle')} text={say('leaveText')} />
    </>
  );
};

const keyOf = ({ encoding, delimiter, hasHeader }: ReadSettings): string => `${encoding} ${delimiter} ${hasHeader}`;

const destinationOf = (definition: TableDefinition): Destination => ({
  table: definition,
  columns: definition.columns.map(({ id }) => id),
  mode: 'replace',
  definition,
});

type FileCardProps = { readonly file: File; readonly onOther: () => void; readonly isDisabled: boolean };

const FileCard = ({ file, onOther, isDisabled }: FileCardProps) => {
  const say = useMessages(dataMessages);
  const { number } = useFormats();
  return (
    <Card
      title={say('file')}
      actions={
        <Button onPress={onOther} isDisabled={isDisabled}>
          {say('otherFile')}
        </Button>
      }
    >
      <p>
        <ForeignText text={file.name} /> <span className={styles['note']}>{number(...sizeOf(file.size))}</span>
      </p>
    </Card>
  );
};

/** Names of tables have a dot. */
const newTable = 'new';

type TableChoiceProps = {
  readonly tables: readonly ListedTable[];
  readonly selected: string | undefined;
  readonly onTable: (table: string | undefined) => void;
};

const TableChoice = ({ tables, selected = newTable, onTable }: TableChoiceProps) => {
  const say = useMessages(dataMessages);
  const options = useMemo(
    () => [
      { id: newTable, label: say('newTable') },
      ...tables.map((table) => ({ id: fullNameOf(table), label: fullNameOf(table), description: table.name })),
    ],
    [tables, say],
  );
  return (
    <Card title={say('where')}>
      <div className={ownStyles['fields']}>
        <ComboBox
          label={say('table')}
          options={options}
          selected={selected}
          onSelect={(id) => onTable(id === newTable ? undefined : id)}
        />
      </div>
    </Card>
  );
};
