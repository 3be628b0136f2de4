/** Somebody else saved the version meanwhile: who, when, and for each field what they made of it beside what was typed here. */
import { useEffect, useId, useRef, useState } from 'react';
import { useFormats, useMessages, usePreferences } from '../../../language/language-provider.js';
import { typeNumber } from '../../../language/typed-number.js';
import { processesEditingMessages } from '../../../messages/processes-editing/catalogue.js';
import { Button } from '../../../ui/button.js';
import { Card } from '../../../ui/card.js';
import { classNames } from '../../../ui/class-names.js';
import { ForeignText } from '../../../ui/foreign-text.js';
import { neutralText, type ContentElement } from '../content-element.js';
import { cultureTag } from '../cultures.js';
import { useCultureName } from '../element-name.js';
import { toInstant } from '../moments.js';
import { nameOf } from '../names.js';
import type { EditorField, FieldValue, FieldValues } from './editor-fields.js';
import styles from './editing.module.css';
import {
  findDifferences,
  mergeValues,
  openConflicts,
  sideOf,
  type Choices,
  type FieldDifference,
  type Side,
} from './merge-changes.js';

export type StaleWriteProps = {
  readonly fields: readonly EditorField[];
  readonly culture: string;
  /** When the form was opened. */
  readonly before: FieldValues;
  readonly mine: FieldValues;
  readonly theirs: { readonly element: ContentElement; readonly values: FieldValues };
  readonly onSave: (merged: FieldValues) => void;
  readonly onBack: () => void;
};

export const StaleWrite = ({ fields, culture, before, mine, theirs, onSave, onBack }: StaleWriteProps) => {
  const say = useMessages(processesEditingMessages);
  const [choices, setChoices] = useState<Choices>({});
  const differences = findDifferences(fields, { before, mine, theirs: theirs.values });
  const open = openConflicts(differences, choices).length;
  const title = useFocusOnce();
  const titleId = useId();
  return (
    <section className={styles['form']} aria-labelledby={titleId}>
      <h2 id={titleId} ref={title} tabIndex={-1}>
        {say('staleTitle')}
      </h2>
      <p>
        <WhoAndWhen element={theirs.element} culture={culture} /> {say('staleText')}
      </p>
      {differences.length === 0 && <p>{say('noDifferences')}</p>}
      {differences.map((difference) => (
        <Difference
          key={difference.field.id}
          difference={difference}
          side={sideOf(difference, choices)}
          onChoose={(side) => setChoices({ ...choices, [difference.field.id]: side })}
        />
      ))}
      <div className={styles['actions']}>
        <Button variant="primary" isDisabled={open > 0} onPress={() => onSave(mergeValues(mine, differences, choices))}>
          {say('saveMerged')}
        </Button>
        <Button onPress={onBack}>{say('backToForm')}</Button>
        {open > 0 && <span className={styles['hint']}>{say('toChoose', { count: open })}</span>}
      </div>
    </section>
  );
};

/** Who does not see that the form has gone hears why. */
const useFocusOnce = () => {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return title;
};

const WhoAndWhen = ({ element, culture }: { readonly element: ContentElement; readonly culture: string }) => {
  const say = useMessages(processesEditingMessages);
  const { dateTime } = useFormats();
  const [person] = element.related['changedBy'] ?? [];
  const who = (person && nameOf(person, culture).text) || say('somebody');
  const changedOn = neutralText(element, 'changedOn');
  return changedOn === '' ? say('savedBy', { who }) : say('savedByAt', { who, moment: dateTime(toInstant(changedOn)) });
};

type DifferenceProps = {
  readonly difference: FieldDifference;
  readonly side: Side | undefined;
  readonly onChoose: (side: Side) => void;
};

const Difference = ({ difference, side, onChoose }: DifferenceProps) => {
  const say = useMessages(processesEditingMessages);
  const cultureNameOf = useCultureName();
  const { field, before, isConflict } = difference;
  const { id, label, culture } = field;
  const sides = [
    { name: 'mine', words: say(isConflict ? 'yours' : 'asItWas') },
    { name: 'theirs', words: say('theirs') },
  ] as const;
  return (
    <Card>
      <fieldset className={styles['group']}>
        <legend className={styles['legend']}>
          {culture === undefined ? label : say('fieldIn', { field: label, language: cultureNameOf(culture) })}
        </legend>
        <div className={styles['sides']}>
          {sides.map(({ name, words }) => (
            <div key={name} className={styles['side']}>
              <label className={styles['choice']}>
                <input type="radio" name={id} checked={side === name} onChange={() => onChoose(name)} />
                {words}
              </label>
              <ShownValue field={field} value={difference[name]} />
            </div>
          ))}
        </div>
        {isConflict && (
          <div className={classNames(styles['hint'], styles['before'])}>
            <span>{say('before')}</span>
            <ShownValue field={field} value={before} />
          </div>
        )}
      </fieldset>
    </Card>
  );
};

/** A value of a field of one line, as its kind is written in the language of the page. */
const useWords = (): ((kind: EditorField['kind'], text: string) => string) => {
  const say = useMessages(processesEditingMessages);
  const { language } = usePreferences();
  const { dateTime } = useFormats();
  return (kind, text) => {
    if (kind === 'boolean') return say(text === 'true' ? 'yes' : 'no');
    if (kind === 'number') return typeNumber(text, language);
    const isMoment = kind === 'date-time' && !Number.isNaN(Date.parse(toInstant(text)));
    return isMoment ? dateTime(toInstant(text)) : text;
  };
};

const ShownValue = ({ field, value }: { readonly field: EditorField; readonly value: FieldValue }) => {
  const say = useMessages(processesEditingMessages);
  const wordsOf = useWords();
  const texts = textsOf(value);
  if (texts.length === 0) return <em>{say('nothing')}</em>;
  return (
    <ul className={styles['plainList']}>
      {texts.map((text, at) => (
        <li key={at}>
          <ForeignText text={wordsOf(field.kind, text)} lang={field.culture && cultureTag(field.culture)} isBlock />
        </li>
      ))}
    </ul>
  );
};

const textsOf = (value: FieldValue): readonly string[] => {
  switch (value.kind) {
    case 'text':
      return value.text === '' ? [] : [value.text];
    case 'items':
      return value.items.map(({ title, url }) => [title ?? '', url].filter((text) => text !== '').join(' – '));
    case 'references':
      return value.references.map(({ name }) => name);
  }
};
