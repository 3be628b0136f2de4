import { shorten } from '../../ui/foreign-text.js';

const hintCharactersMax = 1_000;
const shownCharactersMax = 300;

/** Text of others in a row of a table: one line in its own direction, with more of it as a hint. */
export const CellText = ({ text, lang }: { readonly text: string; readonly lang?: string }) => (
  <bdi title={shorten(text, hintCharactersMax)} lang={lang}>
    {shorten(text, shownCharactersMax)}
  </bdi>
);
