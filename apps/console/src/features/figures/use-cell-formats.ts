import { useMemo } from 'react';
import { useMessages, usePreferences } from '../../language/language-provider.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { cellFormat, type CellFormat, type Header } from './value-format.js';

/** How values are written in the language of the page; the same function for the same header. */
export const useCellFormats = (): ((header: Header) => CellFormat) => {
  const say = useMessages(figuresMessages);
  const { language } = usePreferences();
  return useMemo(() => {
    const words = { yes: say('yes'), no: say('no') };
    const made = new WeakMap<Header, CellFormat>();
    return (header) => {
      const format = made.get(header) ?? cellFormat(header, language, words);
      made.set(header, format);
      return format;
    };
  }, [say, language]);
};
