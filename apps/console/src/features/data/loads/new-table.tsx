/** A table that is made for the file: its name, and columns that the file proposes. */
import { useState } from 'react';
import type { TableDefinition } from '@tessera/contracts/knowledge-models';
import { useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { Button } from '../../../ui/button.js';
import { Card } from '../../../ui/card.js';
import { Checkbox, TextField } from '../../../ui/field.js';
import { Select } from '../../../ui/select.js';
import type { CsvPreview } from '../csv/csv-preview.js';
import type { ColumnDraft } from '../csv/propose-columns.js';
import { columnTypes, definitionOfDraft, faultsOfDraft, proposeTable, type DraftFault } from '../csv/propose-table.js';
import styles from '../data.module.css';
import { useColumnTitles } from './column-titles.js';
import ownStyles from './loads.module.css';

export type NewTableProps = {
  readonly fileName: string;
  readonly preview: CsvPreview;
  /** Tables that are there, by `schema.table`. */
  readonly taken: readonly string[];
  readonly schemas: readonly string[];
  readonly isLoading: boolean;
  /** The page waits for nothing else. */
  readonly isMain: boolean;
  readonly onLoad: (definition: TableDefinition) => void;
};

/** A new one for each way to read the file (`key`): the columns are those of its beginning. */
export const NewTable = ({ fileName, preview, taken, schemas, isLoading, isMain, onLoad }: NewTableProps) => {
  const say = useMessages(dataMessages);
  const [draft, setDraft] = useState(() => proposeTable(preview, fileName, schemas));
  const faults = faultsOfDraft(draft, taken);
  const change = (at: number, column: ColumnDraft): void =>
    setDraft({ ...draft, columns: draft.columns.with(at, column) });
  const errorOf = (place: DraftFault['place']): string | undefined => {
    const fault = faults.find((each) => each.place === place);
    return fault && say(fault.fault);
  };
  return (
    <Card title={say('newTable')}>
      <div className={ownStyles['fields']}>
        <TextField
          label={say('schema')}
          description={say('schemaText')}
          value={draft.schema}
          onChange={(schema) => setDraft({ ...draft, schema })}
          error={errorOf('schema')}
          isCode
        />
        <TextField
          label={say('tableId')}
          description={say('tableIdText')}
          value={draft.id}
          onChange={(id) => setDraft({ ...draft, id })}
          error={errorOf('id')}
          isCode
        />
      </div>
      <h3>{say('columns')}</h3>
      <ColumnDrafts columns={draft.columns} preview={preview} errorOf={errorOf} onChange={change} />
      <p className={styles['note']}>{say('proposedText')}</p>
      <div className={styles['line']}>
        <Button
          variant={isMain ? 'primary' : 'plain'}
          isDisabled={faults.length > 0}
          isPending={isLoading}
          onPress={() => onLoad(definitionOfDraft(draft))}
        >
          {say('createAndLoad')}
        </Button>
      </div>
    </Card>
  );
};

type ColumnDraftsProps = {
  readonly columns: readonly ColumnDraft[];
  readonly preview: CsvPreview;
  readonly errorOf: (place: number) => string | undefined;
  readonly onChange: (at: number, column: ColumnDraft) => void;
};

const ColumnDrafts = ({ columns, preview, errorOf, onChange }: ColumnDraftsProps) => {
  const say = useMessages(dataMessages);
  const titles = useColumnTitles(preview);
  const types = columnTypes.map((id) => ({ id, label: say(id) }));
  return (
    <ul className={ownStyles['fields']} aria-label={say('columns')}>
      {columns.map((column, at) => (
        <li key={at} className={ownStyles['column']}>
          <TextField
            label={titles[at] ?? ''}
            value={column.id}
            onChange={(id) => onChange(at, { ...column, id })}
            error={errorOf(at)}
            isCode
          />
          <Select
            label={say('typeOf', { column: column.id })}
            options={types}
            selected={column.type}
            onSelect={(type) => onChange(at, { ...column, type })}
          />
          <Checkbox isSelected={column.isKey} onChange={(isKey) => onChange(at, { ...column, isKey })}>
            {say('partOfKey')}
          </Checkbox>
          <span className={ownStyles['sample']}>
            <bdi>{preview.rows[0]?.values[at]?.slice(0, 100)}</bdi>
          </span>
        </li>
      ))}
    </ul>
  );
};
