/** The records of a model as a drawing of how they belong together, and one of them in detail. */
import { useMemo } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { Table, type Column } from '../../ui/table.js';
import { rowsOfRecord } from './drill.js';
import styles from './figures.module.css';
import type { Question } from './question.js';
import { RecordGraph } from './record-graph.js';
import type { ModelRecord, Schema } from './schema.js';

export type RecordsProps = {
  readonly schema: Schema;
  readonly selected: string | undefined;
  readonly onSelect: (record: string) => void;
  readonly onAsk: (question: Question) => void;
};

export const Records = ({ schema, selected, onSelect, onAsk }: RecordsProps) => {
  const say = useMessages(figuresMessages);
  if (schema.records.length === 0) return <EmptyState title={say('noRecords')}>{say('noRecordsText')}</EmptyState>;
  const record = schema.recordById.get(selected ?? '');
  return (
    <div className={styles['records']}>
      <RecordGraph schema={schema} selected={record?.id} onSelect={onSelect} />
      {record === undefined ? (
        <EmptyState title={say('chooseRecord')} />
      ) : (
        <RecordDetails {...{ schema, record, onSelect }} onAsk={() => onAsk(rowsOfRecord(record))} />
      )}
    </div>
  );
};

type RecordDetailsProps = {
  readonly schema: Schema;
  readonly record: ModelRecord;
  readonly onSelect: (record: string) => void;
  readonly onAsk: () => void;
};

type Field = ModelRecord['fields'][number];

const RecordDetails = ({ schema, record, onSelect, onAsk }: RecordDetailsProps) => {
  const say = useMessages(figuresMessages);
  const columns = useMemo((): readonly Column<Field>[] => {
    const keys = new Set(record.identifier);
    const text = (value: string) => <bdi title={value}>{value}</bdi>;
    return [
      { id: 'name', title: say('name'), render: ({ name }) => text(name) },
      {
        id: 'id',
        title: say('id'),
        render: ({ id }) => <code>{text(keys.has(id) ? `${id} (${say('key')})` : id)}</code>,
      },
      {
        id: 'type',
        title: say('type'),
        render: ({ type, unit }) => text(unit === undefined ? type : `${type}, ${unit}`),
      },
      { id: 'description', title: say('description'), width: '2fr', render: ({ description }) => text(description) },
    ];
  }, [record, say]);
  return (
    <Card title={record.name} actions={<Button onPress={onAsk}>{say('showRows')}</Button>}>
      {record.description !== '' && (
        <p>
          <ForeignText text={record.description} />
        </p>
      )}
      <Relationships {...{ schema, record, onSelect }} />
      <Table
        label={say('fieldsOf', { record: record.name })}
        columns={columns}
        rows={record.fields}
        idOf={({ id }) => id}
      />
    </Card>
  );
};

const Relationships = ({ schema, record, onSelect }: Omit<RecordDetailsProps, 'onAsk'>) => {
  const say = useMessages(figuresMessages);
  if (record.relationships.length === 0) return null;
  return (
    <section className={styles['part']} aria-label={say('relationships')}>
      <h3 className={styles['partTitle']}>{say('relationships')}</h3>
      <ul className={styles['chosen']}>
        {record.relationships.map(({ record: other, cardinality, fields }, at) => (
          <li key={at} className={styles['entry']}>
            <span className={styles['words']}>
              <span>{say(`cardinality_${cardinality}`, { record: schema.recordById.get(other)?.name ?? other })}</span>
              <code className={styles['note']}>
                <bdi>{fields.map(({ from, to }) => `${from} = ${to}`).join(', ')}</bdi>
              </code>
            </span>
            {schema.recordById.has(other) && (
              <Button variant="quiet" onPress={() => onSelect(other)}>
                {say('look')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};
