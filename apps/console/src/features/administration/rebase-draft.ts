/** Two people edit one thing that is written whole: what each of them changed stays. */

type Draft = Readonly<Record<string, unknown>>;

/** Of drafts, and of what they consist of. */
export const isSameValue = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Of lists, as of roles, both have added and taken away entries; of anything else what is typed wins. */
const mergeValue = (typed: unknown, began: unknown, now: unknown): unknown => {
  if (!isTexts(typed) || !isTexts(began) || !isTexts(now)) return typed;
  const added = typed.filter((each) => !began.includes(each) && !now.includes(each));
  return [...now.filter((each) => typed.includes(each) || !began.includes(each)), ...added];
};

/** What is typed, on what is saved now: a member that was not changed since `began` is as it is now. */
export const rebaseDraft = <Form extends Draft>(typed: Form, began: Form, now: Form): Form => ({
  ...now,
  ...Object.fromEntries(
    Object.entries(typed)
      .filter(([name, value]) => !isSameValue(value, began[name]))
      .map(([name, value]) => [name, mergeValue(value, began[name], now[name])]),
  ),
});
