/** The days that a question is about, and with which other days its figures are compared. */
import type { ReactNode } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { Button } from '../../ui/button.js';
import { ComboBox } from '../../ui/combobox.js';
import { TextField } from '../../ui/field.js';
import { Select } from '../../ui/select.js';
import styles from './figures.module.css';
import type { Period } from './period.js';
import { isDateType, type Schema } from './schema.js';
import { useTyped } from './use-typed.js';

export type PeriodFieldsProps = {
  readonly schema: Schema;
  readonly period: Period | undefined;
  readonly onChange: (period: Period | undefined) => void;
  /** What is wrong with it. */
  readonly children: ReactNode;
};

export const PeriodFields = ({ schema, period, onChange, children }: PeriodFieldsProps) => {
  const say = useMessages(figuresMessages);
  const options = schema.options.fields.filter(({ id }) => {
    const field = schema.fieldByPath.get(id);
    return field !== undefined && isDateType(field.type) && field.filterable;
  });
  if (options.length === 0 && period === undefined) return null;
  // An empty field is on its way to another one.
  const choose = (field: string | undefined): void => {
    if (field !== undefined) onChange({ from: '', to: '', ...period, field });
  };
  return (
    <section className={styles['part']} aria-label={say('period')}>
      <ComboBox label={say('periodOf')} options={options} selected={period?.field} onSelect={choose} />
      {period !== undefined && (
        <>
          <div className={styles['pair']}>
            <DayField label={say('from')} day={period.from} onDay={(from) => onChange({ ...period, from })} />
            <DayField label={say('to')} day={period.to} onDay={(to) => onChange({ ...period, to })} />
          </div>
          <CompareSelect period={period} onChange={onChange} />
          <div className={styles['line']}>
            <Button variant="quiet" onPress={() => onChange(undefined)}>
              {say('withoutPeriod')}
            </Button>
          </div>
        </>
      )}
      {children}
    </section>
  );
};

const CompareSelect = ({
  period,
  onChange,
}: {
  readonly period: Period;
  readonly onChange: (period: Period) => void;
}) => {
  const say = useMessages(figuresMessages);
  const options = (['nothing', 'before', 'year'] as const).map((id) => ({ id, label: say(`compare_${id}`) }));
  const select = (id: (typeof options)[number]['id']): void => {
    const { field, from, to } = period;
    onChange({ field, from, to, ...(id !== 'nothing' && { compare: id }) });
  };
  return (
    <Select
      label={say('compare')}
      options={options}
      selected={period.compare ?? 'nothing'}
      onSelect={select}
      isDisabled={period.from === '' || period.to === ''}
    />
  );
};

type DayFieldProps = { readonly label: string; readonly day: string; readonly onDay: (day: string) => void };

/** Asks when a whole day is there: a year that is being typed goes through 0002 and 0020. */
const DayField = ({ label, day, onDay }: DayFieldProps) => {
  const [text, setText] = useTyped(day);
  const change = (typed: string): void => {
    setText(typed);
    if (typed === '' || /^[1-9]\d{3}-\d{2}-\d{2}$/.test(typed)) onDay(typed);
  };
  return (
    <TextField
      label={label}
      type={text === '' || /^\d{4}-\d{2}-\d{2}$/.test(text) ? 'date' : 'text'}
      value={text}
      onChange={change}
    />
  );
};
