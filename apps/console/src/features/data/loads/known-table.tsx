/** A table that is there: what happens to its rows, and which of its columns each column of the file goes to. */
import type { LoadMode } from '@tessera/contracts/knowledge-models';
import { useMemo, useState } from 'react';
import { useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { Notice } from '../../../ui/badge.js';
import { Button } from '../../../ui/button.js';
import { Card } from '../../../ui/card.js';
import { Select } from '../../../ui/select.js';
import {
  columnsOfMatch,
  faultsOfMatch,
  matchColumns,
  type ColumnMatch,
  type MatchFault,
} from '../csv/match-columns.js';
import type { CsvPreview } from '../csv/csv-preview.js';
import styles from '../data.module.css';
import type { ListedTable } from '../tables/find-tables.js';
import { useColumnTitles } from './column-titles.js';
import type { DataSay } from './load-faults.js';
import ownStyles from './loads.module.css';

export type KnownTableProps = {
  readonly table: ListedTable;
  readonly preview: CsvPreview;
  readonly mode: LoadMode;
  readonly onMode: (mode: LoadMode) => void;
  readonly isLoading: boolean;
  /** The page waits for nothing else. */
  readonly isMain: boolean;
  readonly onLoad: (columns: string[], mode: LoadMode) => void;
};

const modesOf = ({ primaryKey }: ListedTable): readonly LoadMode[] =>
  primaryKey === undefined ? ['replace', 'append'] : ['replace', 'append', 'upsert', 'delete'];

/** Where rows that are there are found by their key, the file need not have their other columns. */
const neededColumns = ({ columns, primaryKey = [] }: ListedTable, mode: LoadMode): readonly string[] =>
  mode === 'upsert' || mode === 'delete' ? primaryKey : columns.filter(({ nullable }) => !nullable).map(({ id }) => id);

/** The columns that a file can have. */
const takenColumns = ({ columns, primaryKey = [] }: ListedTable, mode: LoadMode): ListedTable['columns'] =>
  mode === 'delete' ? columns.filter(({ id }) => primaryKey.includes(id)) : columns;

export const KnownTable = ({ table, preview, mode, onMode, isLoading, isMain, onLoad }: KnownTableProps) => {
  const say = useMessages(dataMessages);
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map());
  const modes = modesOf(table);
  const asked = modes.includes(mode) ? mode : 'replace';
  const columns = useMemo(() => takenColumns(table, asked), [table, asked]);
  const proposed = useMemo(() => matchColumns(preview, columns), [preview, columns]);
  const match = proposed.map((column, at) => chosen.get(at) ?? column);
  const faults = faultsOfMatch(match, neededColumns(table, asked));
  return (
    <Card title={say('intoTable')}>
      <div className={ownStyles['fields']}>
        <Select
          label={say('oldRows')}
          options={modes.map((id) => ({ id, label: say(id), description: say(`${id}Text`) }))}
          selected={asked}
          onSelect={onMode}
        />
      </div>
      <Matching
        columns={columns}
        preview={preview}
        match={match}
        onMatch={(at, column) => setChosen(new Map(chosen).set(at, column))}
      />
      {faults.length > 0 && <MatchFaults faults={faults} preview={preview} />}
      {table.rows > 0 && <p className={styles['note']}>{say(`${asked}Rows`, { count: table.rows })}</p>}
      <div className={styles['line']}>
        <Button
          variant={isMain ? 'primary' : 'plain'}
          isDisabled={faults.length > 0}
          isPending={isLoading}
          onPress={() => onLoad(columnsOfMatch(match), asked)}
        >
          {say('load')}
        </Button>
      </div>
    </Card>
  );
};

type MatchingProps = Pick<KnownTableProps, 'preview'> & {
  readonly columns: ListedTable['columns'];
  readonly match: ColumnMatch;
  readonly onMatch: (at: number, column: string) => void;
};

const Matching = ({ columns, preview, match, onMatch }: MatchingProps) => {
  const say = useMessages(dataMessages);
  const titles = useColumnTitles(preview);
  const options = columns.map(({ id, type }) => ({ id, label: id, description: say(type) }));
  return (
    <section aria-label={say('columnsOfFile')} className={ownStyles['fields']}>
      {match.map((column, at) => (
        <Select
          key={at}
          label={titles[at] ?? ''}
          options={options}
          selected={column}
          placeholder={say('chooseColumn')}
          onSelect={(id) => onMatch(at, id)}
        />
      ))}
    </section>
  );
};

const MatchFaults = ({ faults, preview }: { readonly faults: readonly MatchFault[]; readonly preview: CsvPreview }) => {
  const say = useMessages(dataMessages);
  const titles = useColumnTitles(preview);
  return (
    <Notice tone="warning">
      <ul className={ownStyles['problems']}>
        {faults.map((fault, at) => (
          <li key={at}>{wordsOf(fault, titles, say)}</li>
        ))}
      </ul>
    </Notice>
  );
};

const wordsOf = (fault: MatchFault, titles: readonly string[], say: DataSay): string => {
  switch (fault.kind) {
    case 'unmatched':
      return say('unmatched', { title: titles[fault.at] ?? '' });
    case 'twice':
      return say('matchedTwice', { title: titles[fault.at] ?? '', column: fault.column });
    case 'missing':
      return say('missingColumns', { columns: fault.columns.join(', ') });
  }
};
