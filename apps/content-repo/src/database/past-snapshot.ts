/**
 * A snapshot of an earlier state: the same statements over the views that show the tables as they were at the number of a
 * change. It is the one place that knows of them; a statement of the present is never touched.
 * Refuses: tables without such a view. The definition of a storage is that of now.
 */
import type { Snapshot } from './snapshot.js';

/** `snapshot`: one whose transaction has the number in `app.as_of`. */
export const pastSnapshot = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  read: ({ name, text, values }) => snapshot.read({ name: name && `past_${name}`, text: inPast(text), values }),
  openCursor: ({ text, values }) => snapshot.openCursor({ text: inPast(text), values }),
});

/** Values are never in the text of a statement, so a name found there is that of a table. */
const inPast = (text: string): string => text.replaceAll(tables, '$&_at');

const tables = /\bcontent_repo\.(?:rendition|element_version|element|content_element)\b/g;
