import { useState } from 'react';
import { usePreferences } from '../language/language-provider.js';
import { readNumber, typeNumber } from '../language/typed-number.js';
import { TextField, type FieldProps } from './field.js';

/**
 * A number as the language of the page writes it; its value is as programs write it (`1410.5`). What is no number yet, or never, is the
 * value as it was typed: who asked for it says what is wrong.
 */
export const NumberTextField = ({ value, onChange, ...rest }: FieldProps) => {
  const { language } = usePreferences();
  const [typed, setTyped] = useState({ value, text: typeNumber(value, language) });
  const type = (text: string): void => {
    const next = readNumber(text, language) ?? text;
    setTyped({ value: next, text });
    onChange(next);
  };
  return (
    <TextField {...rest} value={typed.value === value ? typed.text : typeNumber(value, language)} onChange={type} />
  );
};
