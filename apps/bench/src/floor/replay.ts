/**
 * Turns a recorded transaction into a template: the same statements for another element, with its identifiers, numbers
 * and instants replaced.
 */
import type { Statement, Transaction } from '../product/product.js';

/** An element as far as a replay must know it. */
export type ReplayedElement = {
  readonly elementId: string;
  /** The released version. */
  readonly versionId: string;
  /** The content of that version, in its order. */
  readonly contentIds: readonly string[];
};

/** What the change made, or was given by the database. */
export type CreatedVersion = {
  readonly versionId: string;
  readonly contentIds: readonly string[];
  /** The number of the change. */
  readonly sequence: string;
  readonly changedAt: Date;
};

export type TemplateStatement = Omit<Statement, 'values'> & {
  /** Pieces of text, and the indices of the variables between them. */
  readonly values?: readonly (readonly (string | number)[] | null)[];
};

/**
 * The values that differ between replays, in a fixed order. The number is only replaced as a whole parameter: it is
 * too short to be searched in texts.
 */
const variablesOf = (element: ReplayedElement, made: CreatedVersion): readonly [string, ...string[]] => [
  made.sequence,
  `"${made.sequence}"`,
  // Stands in texts with a zone and without.
  made.changedAt.toISOString().slice(0, -1),
  made.versionId,
  element.elementId,
  element.versionId,
  ...element.contentIds,
  ...made.contentIds,
];

export const createTransactionTemplate = (
  recorded: Transaction,
  element: ReplayedElement,
  made: CreatedVersion,
): readonly TemplateStatement[] => {
  const [bareSequence, ...findable] = variablesOf(element, made);
  const places = new Map(findable.map((text, index) => [text, index + 1]));
  const pattern = new RegExp(`(${findable.join('|')})`);
  const piecesOf = (value: string): readonly (string | number)[] =>
    value === bareSequence ? [0] : value.split(pattern).map((text) => places.get(text) ?? text);
  return recorded.map(({ values, ...statement }) => ({
    ...statement,
    ...(values && { values: values.map((value) => (value === null ? null : piecesOf(value))) }),
  }));
};

/** The values of a statement in the replay for another element. */
export const fillValues = (
  { values = [] }: TemplateStatement,
  element: ReplayedElement,
  made: CreatedVersion,
): (string | null)[] => {
  const variables = variablesOf(element, made);
  return values.map(
    (pieces) => pieces && pieces.map((piece) => (typeof piece === 'string' ? piece : variables[piece])).join(''),
  );
};
