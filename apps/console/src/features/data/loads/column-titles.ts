import { useMemo } from 'react';
import { isolate } from '../../../language/fill-message.js';
import { useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { shorten } from '../../../ui/foreign-text.js';
import type { CsvPreview } from '../csv/csv-preview.js';

const titleCharactersMax = 60;

/** What the columns of a file are called, for labels: of bounded length, each in its own direction. */
export const useColumnTitles = ({ header, width }: CsvPreview): readonly string[] => {
  const say = useMessages(dataMessages);
  return useMemo(
    () =>
      Array.from({ length: width }, (_, at) => {
        const title = header?.[at]?.trim() ?? '';
        return title === '' ? say('columnNumber', { number: at + 1 }) : isolate(shorten(title, titleCharactersMax));
      }),
    [header, width, say],
  );
};
