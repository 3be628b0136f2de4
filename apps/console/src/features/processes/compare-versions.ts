/** What is different between two versions of an element. */
import type { TypeDescription } from './attributes.js';
import { chooseAttributes, showValue } from './attributes.js';
import { neutralCulture, type ContentElement } from './content-element.js';
import { nameOf, type LabelOf } from './names.js';

type Named = { readonly name: string; readonly label: string };

export type Difference =
  | (Named & {
      readonly kind: 'attribute';
      /** Undefined for what is the same in all languages. */
      readonly culture: string | undefined;
      readonly before: unknown;
      readonly after: unknown;
    })
  | (Named & {
      /** `content`: what the diagram consists of. */
      readonly kind: 'relation' | 'content';
      readonly removed: readonly ContentElement[];
      readonly added: readonly ContentElement[];
      readonly kept: readonly ContentElement[];
    });

export type Comparison = {
  readonly changed: readonly Difference[];
  /** How many attributes, texts and relations are the same in both. */
  readonly sameCount: number;
};

type Scope = {
  readonly type: TypeDescription | undefined;
  /** In which content elements are named. */
  readonly culture: string;
  readonly labelOf: LabelOf;
  readonly contentLabel: string;
};

const isSame = (one: unknown, other: unknown): boolean => {
  const [shown, otherShown] = [showValue(one), showValue(other)];
  return shown.kind === 'gap' ? otherShown.kind === 'gap' : JSON.stringify(one) === JSON.stringify(other);
};

const compareAttributes = (before: ContentElement, after: ContentElement, { type, labelOf }: Scope) => {
  const shown = [before, after].flatMap((element) => {
    const { localised, neutral } = chooseAttributes(element, type, labelOf);
    return [...localised, ...neutral];
  });
  const labels = new Map(shown.map(({ name, label }) => [name, label]));
  return [...labels].flatMap(([name, label]) => {
    const [one, other] = [before.attributes[name] ?? {}, after.attributes[name] ?? {}];
    const cultures = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return cultures.map((each): Difference => ({
      ...{ kind: 'attribute', name, label, before: one[each], after: other[each] },
      culture: each === neutralCulture ? undefined : each,
    }));
  });
};

/** Lists of elements by what makes two of them the same. */
const compareLists = (
  before: readonly ContentElement[],
  after: readonly ContentElement[],
  keyOf: (element: ContentElement) => string,
) => {
  const [keysBefore, keysAfter] = [before, after].map((list) => new Set(list.map(keyOf)));
  return {
    removed: before.filter((element) => !keysAfter?.has(keyOf(element))),
    added: after.filter((element) => !keysBefore?.has(keyOf(element))),
    kept: after.filter((element) => keysBefore?.has(keyOf(element))),
  };
};

const compareRelations = (before: ContentElement, after: ContentElement, { type, labelOf }: Scope) => {
  const names = [...new Set([...Object.keys(before.related), ...Object.keys(after.related)])];
  return names
    .filter((name) => type?.relations.find((relation) => relation.name === name)?.isSystem !== true)
    .map((name): Difference => {
      const displayNames = type?.relations.find((relation) => relation.name === name)?.displayNames;
      return {
        ...{ kind: 'relation', name, label: labelOf(name, displayNames) },
        ...compareLists(before.related[name] ?? [], after.related[name] ?? [], ({ id }) => id),
      };
    });
};

/** A version has copies of the content of another, with ids of their own: what has the same type and name is the same. */
const compareContent = (
  before: ContentElement,
  after: ContentElement,
  { culture, contentLabel }: Scope,
): Difference => ({
  ...{ kind: 'content', name: 'content', label: contentLabel },
  ...compareLists(before.content, after.content, (element) => `${element.type} ${nameOf(element, culture).text}`),
});

const hasChanged = (difference: Difference): boolean =>
  difference.kind === 'attribute'
    ? !isSame(difference.before, difference.after)
    : difference.removed.length + difference.added.length > 0;

export const compareVersions = (before: ContentElement, after: ContentElement, scope: Scope): Comparison => {
  const all = [
    ...compareAttributes(before, after, scope),
    ...compareRelations(before, after, scope),
    ...(before.content.length + after.content.length > 0 ? [compareContent(before, after, scope)] : []),
  ];
  const changed = all.filter(hasChanged);
  return { changed, sameCount: all.length - changed.length };
};
