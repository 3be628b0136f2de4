/** The KPIs and filters of a model with what they mean. */
import { useState } from 'react';
import { numberOf } from '../../api/json-values.js';
import { useMessages, usePreferences } from '../../language/language-provider.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { Button } from '../../ui/button.js';
import { Card, CardGrid } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { SearchField } from '../../ui/field.js';
import { ForeignText } from '../../ui/foreign-text.js';
import styles from './figures.module.css';
import { changeQuestion, type Question } from './question.js';
import type { Kpi, ModelFilter, Schema } from './schema.js';
import { cellFormat } from './value-format.js';

export type KpiCatalogueProps = {
  readonly schema: Schema;
  /** To which a KPI or a filter is added. */
  readonly question: Question;
  readonly find: string;
  readonly onFind: (text: string) => void;
  readonly onAsk: (question: Question) => void;
};

const shownMax = 60;

const holds = (text: string) => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ id, name, description }: Pick<ModelFilter, 'id' | 'name' | 'description'>): boolean => {
    const all = `${id} ${name} ${description}`.toLowerCase();
    return words.every((word) => all.includes(word));
  };
};

export const KpiCatalogue = ({ schema, question, find, onFind, onAsk }: KpiCatalogueProps) => {
  const say = useMessages(figuresMessages);
  // The address follows what is typed, and comes too late to be shown in the field.
  const [text, setText] = useState(find);
  const type = (typed: string): void => {
    setText(typed);
    onFind(typed);
  };
  const [kpis, filters] = [schema.kpis.filter(holds(text)), schema.filters.filter(holds(text))];
  const left = Math.max(0, kpis.length - shownMax) + Math.max(0, filters.length - shownMax);
  return (
    <div className={styles['form']}>
      <SearchField label={say('findKpi')} value={text} onChange={type} />
      {kpis.length + filters.length === 0 && <EmptyState title={say('noneFound')}>{say('noneFoundText')}</EmptyState>}
      {kpis.length > 0 && <h2>{say('kpis')}</h2>}
      <CardGrid>
        {kpis.slice(0, shownMax).map((kpi) => (
          <KpiCard
            key={kpi.id}
            {...{ kpi, schema }}
            onAsk={() => onAsk(changeQuestion(question, { kpis: [...new Set([...question.kpis, kpi.id])] }))}
          />
        ))}
      </CardGrid>
      {filters.length > 0 && <h2>{say('filters')}</h2>}
      <CardGrid>
        {filters.slice(0, shownMax).map((filter) => (
          <FilterCard
            key={filter.id}
            filter={filter}
            onAsk={() => onAsk(changeQuestion(question, { filters: [...new Set([...question.filters, filter.id])] }))}
          />
        ))}
      </CardGrid>
      {left > 0 && <p className={styles['note']}>{say('notShown', { count: left })}</p>}
    </div>
  );
};

type KpiCardProps = { readonly kpi: Kpi; readonly schema: Schema; readonly onAsk: () => void };

const KpiCard = ({ kpi, schema, onAsk }: KpiCardProps) => {
  const say = useMessages(figuresMessages);
  const { language } = usePreferences();
  const { id, name, description, unit, format, direction, target, parameters, records } = kpi;
  const write = cellFormat({ type: 'float', format, unit }, language, { yes: '', no: '' });
  const facts: readonly Fact[] = [
    {
      name: say('id'),
      value: (
        <code>
          <ForeignText text={id} />
        </code>
      ),
    },
    ...(direction === 'None' ? [] : [{ name: say('better'), value: say(`direction_${direction}`) }]),
    ...(target === undefined
      ? []
      : [
          {
            name: say('targetName'),
            value: numberOf(target) === undefined ? <ForeignText text={target} /> : write(target),
          },
        ]),
    ...(records.length === 0
      ? []
      : [
          {
            name: say('computedFrom'),
            value: (
              <ForeignText text={records.map((record) => schema.recordById.get(record)?.name ?? record).join(', ')} />
            ),
          },
        ]),
    ...parameters.map((parameter) => ({ name: parameter.name, value: <ForeignText text={parameter.value} /> })),
  ];
  return (
    <Card title={name} actions={<Button onPress={onAsk}>{say('ask')}</Button>}>
      {description !== '' && (
        <p>
          <ForeignText text={description} />
        </p>
      )}
      <Facts facts={facts} />
    </Card>
  );
};

const FilterCard = ({ filter, onAsk }: { readonly filter: ModelFilter; readonly onAsk: () => void }) => {
  const say = useMessages(figuresMessages);
  const { id, name, description } = filter;
  return (
    <Card title={name} actions={<Button onPress={onAsk}>{say('use')}</Button>}>
      {description !== '' && (
        <p>
          <ForeignText text={description} />
        </p>
      )}
      <Facts
        facts={[
          {
            name: say('id'),
            value: (
              <code>
                <ForeignText text={id} />
              </code>
            ),
          },
        ]}
      />
    </Card>
  );
};
