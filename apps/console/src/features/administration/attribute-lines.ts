/** Attributes of members and keys as they are edited: a line for each name, its texts one below the other. */
import type { InputFor } from '../../api/operations.js';

export type Attributes = NonNullable<InputFor<'writeMember'>['properties']['attributes']>;

export type AttributeLine = {
  readonly name: string;
  /** Each text on a line of its own. */
  readonly texts: string;
  /** A list of one text stays a list. */
  readonly isList: boolean;
};

export const emptyAttributeLine: AttributeLine = { name: '', texts: '', isList: false };

export const linesOfAttributes = (attributes: Readonly<Record<string, string | readonly string[]>>): AttributeLine[] =>
  Object.entries(attributes).map(([name, value]) =>
    typeof value === 'string' ? { name, texts: value, isList: false } : { name, texts: value.join('\n'), isList: true },
  );

const textsOf = ({ texts }: AttributeLine): readonly string[] =>
  texts
    .split('\n')
    .map((text) => text.trim())
    .filter((text) => text !== '');

/** Lines without a name are left out, those without a text are empty lists. */
export const attributesOfLines = (lines: readonly AttributeLine[]): Attributes =>
  Object.fromEntries(
    lines
      .filter(({ name }) => name.trim() !== '')
      .map((line) => {
        const texts = textsOf(line);
        const [only] = texts;
        return [line.name.trim(), texts.length === 1 && only !== undefined && !line.isList ? only : [...texts]];
      }),
  );

/** `companyCodes: 1000, 2000` */
export const describeAttributes = (attributes: Readonly<Record<string, string | readonly string[]>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : value.join(', ')}`)
    .join('; ');
