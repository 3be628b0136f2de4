/** What is asked: KPIs, by which fields, of which rows. Each change asks at once. */
import { useMessages } from '../../language/language-provider.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { AddComboBox } from '../../ui/combobox.js';
import { Checkbox, SearchField } from '../../ui/field.js';
import { Select } from '../../ui/select.js';
import { ChosenList } from './chosen-list.js';
import type { ConditionDraft } from './condition.js';
import { ConditionList } from './condition-list.js';
import { FaultsAt } from './faults-at.js';
import styles from './figures.module.css';
import { grains, type Grain } from './period.js';
import { PeriodFields } from './period-fields.js';
import { fieldWithoutGrain, grainOf, type Question } from './question.js';
import type { PlacedFaults } from './filter-faults.js';
import { isDateType, nameIn, typeOf, type Schema } from './schema.js';
import { useTyped } from './use-typed.js';

type PartProps = {
  readonly schema: Schema;
  readonly question: Question;
  readonly onChange: (change: Partial<Question>) => void;
};

export type QuestionFormProps = PartProps & {
  readonly faults: PlacedFaults;
  readonly draft: ConditionDraft;
  readonly onDraft: (draft: ConditionDraft) => void;
};

export const QuestionForm = ({ faults, draft, onDraft, ...part }: QuestionFormProps) => {
  const say = useMessages(figuresMessages);
  const { schema, question, onChange } = part;
  return (
    <Card title={say('questionTab')}>
      <div className={styles['form']}>
        <KpiPart {...part} />
        <FieldPart {...part} />
        <ConditionList
          {...{ schema, draft, onDraft }}
          conditions={question.conditions}
          faults={faults.conditions}
          onChange={(conditions) => onChange({ conditions })}
        />
        <FilterPart {...part} />
        <PeriodFields {...{ schema }} period={question.period} onChange={(period) => onChange({ period })}>
          <FaultsAt faults={faults.period} />
        </PeriodFields>
        <SearchPart {...part} />
        <FaultsAt faults={faults.search} text={question.search} />
      </div>
    </Card>
  );
};

const without = (list: readonly string[], id: string): readonly string[] => list.filter((one) => one !== id);

const KpiPart = ({ schema, question: { kpis }, onChange }: PartProps) => {
  const say = useMessages(figuresMessages);
  return (
    <div className={styles['part']}>
      <AddComboBox
        label={say('addKpi')}
        options={schema.options.kpis.filter(({ id }) => !kpis.includes(id))}
        onAdd={(id) => onChange({ kpis: [...kpis, id] })}
      />
      <ChosenList
        label={say('kpis')}
        entries={kpis.map((id) => ({ id, name: nameIn(schema, id) }))}
        onRemove={(id) => onChange({ kpis: without(kpis, id) })}
      />
    </div>
  );
};

const FieldPart = ({ schema, question: { fields }, onChange }: PartProps) => {
  const say = useMessages(figuresMessages);
  const regrain = (before: string, grain: Grain | 'none'): void => {
    const path = fieldWithoutGrain(before);
    const after = grain === 'none' ? path : `${path}:${grain}`;
    onChange({ fields: [...new Set(fields.map((field) => (field === before ? after : field)))] });
  };
  return (
    <div className={styles['part']}>
      <AddComboBox
        label={say('addField')}
        options={schema.options.fields.filter(({ id }) => !fields.includes(id))}
        onAdd={(path) => onChange({ fields: [...fields, path] })}
      />
      <ChosenList
        label={say('fields')}
        entries={fields.map((field) => ({
          id: field,
          name: nameIn(schema, fieldWithoutGrain(field)),
          detail: schema.fieldByPath.get(fieldWithoutGrain(field))?.recordName,
          control: isDateType(typeOf(schema, fieldWithoutGrain(field))) && (
            <GrainSelect grain={grainOf(field)} onSelect={(grain) => regrain(field, grain)} />
          ),
        }))}
        onRemove={(field) => onChange({ fields: without(fields, field) })}
      />
    </div>
  );
};

const GrainSelect = ({
  grain,
  onSelect,
}: {
  readonly grain: string;
  readonly onSelect: (grain: Grain | 'none') => void;
}) => {
  const say = useMessages(figuresMessages);
  const options = (['none', ...grains] as const).map((id) => ({ id, label: say(id) }));
  return (
    <Select
      label={say('grain')}
      options={options}
      selected={options.find(({ id }) => id === grain)?.id ?? 'none'}
      onSelect={onSelect}
    />
  );
};

const FilterPart = ({ schema, question: { filters }, onChange }: PartProps) => {
  const say = useMessages(figuresMessages);
  if (schema.filters.length + filters.length === 0) return null;
  return (
    <div className={styles['part']}>
      <AddComboBox
        label={say('addFilter')}
        options={schema.options.filters.filter(({ id }) => !filters.includes(id))}
        onAdd={(id) => onChange({ filters: [...filters, id] })}
      />
      <ChosenList
        label={say('filters')}
        entries={filters.map((id) => ({
          ...{ id, name: nameIn(schema, id) },
          detail: schema.filterById.get(id)?.description,
        }))}
        onRemove={(id) => onChange({ filters: without(filters, id) })}
      />
    </div>
  );
};

const SearchPart = ({ question, onChange }: PartProps) => {
  const say = useMessages(figuresMessages);
  const [text, setText] = useTyped(question.search);
  const search = (asked: string): void => {
    if (asked !== question.search) onChange({ search: asked });
  };
  const type = (typed: string): void => {
    setText(typed);
    if (typed === '') search('');
  };
  return (
    <div className={styles['part']}>
      <SearchField label={say('searchRows')} value={text} onChange={type} onSubmit={search} />
      <div className={styles['line']}>
        {text !== question.search && <Button onPress={() => search(text)}>{say('search')}</Button>}
        {question.search !== '' && (
          <Checkbox isSelected={question.isExactSearch} onChange={(isExactSearch) => onChange({ isExactSearch })}>
            {say('exactSearch')}
          </Checkbox>
        )}
      </div>
    </div>
  );
};
