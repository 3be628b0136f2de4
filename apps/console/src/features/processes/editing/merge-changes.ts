/** Two people changed one version: what each of them made of it, field by field, and one of both. */
import { isSameValue, valueOf, type EditorField, type FieldValue, type FieldValues } from './editor-fields.js';

export type Side = 'mine' | 'theirs';

/** A field that the other one changed. */
export type FieldDifference = {
  readonly field: EditorField;
  readonly before: FieldValue;
  readonly mine: FieldValue;
  readonly theirs: FieldValue;
  /** Both changed it, to different values: a person has to choose. */
  readonly isConflict: boolean;
};

/** By the ids of fields; without a choice a field that is no conflict is theirs. */
export type Choices = Readonly<Record<string, Side>>;

type ThreeStates = { readonly before: FieldValues; readonly mine: FieldValues; readonly theirs: FieldValues };

/** What they changed and is not already the same here. */
export const findDifferences = (fields: readonly EditorField[], states: ThreeStates): readonly FieldDifference[] =>
  fields.flatMap((field) => {
    const [before, mine, theirs] = [states.before, states.mine, states.theirs].map((values) => valueOf(values, field));
    if (!before || !mine || !theirs || isSameValue(before, theirs) || isSameValue(mine, theirs)) return [];
    return [{ field, before, mine, theirs, isConflict: !isSameValue(before, mine) }];
  });

export const sideOf = ({ field, isConflict }: FieldDifference, choices: Choices): Side | undefined =>
  choices[field.id] ?? (isConflict ? undefined : 'theirs');

/** Conflicts that nobody has decided yet. */
export const openConflicts = (differences: readonly FieldDifference[], choices: Choices): readonly FieldDifference[] =>
  differences.filter((each) => sideOf(each, choices) === undefined);

/** What is to be saved, once every conflict is decided: mine, with theirs where that was chosen. */
export const mergeValues = (
  mine: FieldValues,
  differences: readonly FieldDifference[],
  choices: Choices,
): FieldValues => ({
  ...mine,
  ...Object.fromEntries(
    differences
      .filter((each) => sideOf(each, choices) === 'theirs')
      .map(({ field, theirs }) => [field.id, theirs] as const),
  ),
});
