/** What has been entered into a form so far. A draft has the node that it is for, so that fields need nothing else. Never changed. */
import { isList, isObject, isSameJson, printJson } from '../../../api/json-values.js';
import { isConstant, type FormNode, type NodeOf } from './form-node.js';

/** The key stays with an entry when others are removed. */
export type ListEntry = { readonly key: number; readonly draft: Draft };

export type DraftOf<Kind extends Draft['kind']> = Extract<Draft, { readonly kind: Kind }>;
export type Draft =
  | { readonly kind: 'text'; readonly node: NodeOf<'text'>; readonly text: string }
  | { readonly kind: 'number'; readonly node: NodeOf<'number'>; readonly number: number | undefined }
  | { readonly kind: 'flag'; readonly node: NodeOf<'flag'>; readonly isOn: boolean }
  | { readonly kind: 'choice'; readonly node: NodeOf<'choice'>; readonly chosen: string | undefined }
  | { readonly kind: 'list'; readonly node: NodeOf<'list'>; readonly entries: readonly ListEntry[] }
  /** In the order of the members of the node. */
  | { readonly kind: 'object'; readonly node: NodeOf<'object'>; readonly members: readonly Draft[] }
  /** One draft for each option, so that none is lost by looking at another. */
  | {
      readonly kind: 'alternatives';
      readonly node: NodeOf<'alternatives'>;
      readonly chosen: number | undefined;
      readonly drafts: readonly Draft[];
    }
  | { readonly kind: 'json'; readonly node: NodeOf<'json'>; readonly text: string };

/** A draft with what is given filled in; what does not fit is left out. Without anything it has what holds by itself. */
export const startDraft = (node: FormNode, given: unknown = node.standard): Draft => {
  switch (node.kind) {
    case 'text':
      return { kind: 'text', node, text: typeof given === 'string' ? given : '' };
    case 'number':
      return { kind: 'number', node, number: typeof given === 'number' ? given : undefined };
    case 'flag':
      return { kind: 'flag', node, isOn: given === true };
    case 'choice':
      return { kind: 'choice', node, chosen: chosenIn(node, given) };
    case 'list':
      return { kind: 'list', node, entries: (isList(given) ? given : []).map((each, key) => entryOf(node, key, each)) };
    case 'object':
      return startObject(node, given);
    case 'alternatives':
      return startAlternatives(node, given);
    case 'json':
      return { kind: 'json', node, text: given === undefined ? '' : printJson(given) };
  }
};

const chosenIn = ({ choices, isRequired }: NodeOf<'choice'>, given: unknown): string | undefined => {
  const [only, ...others] = choices;
  if (only !== undefined && others.length === 0 && isRequired) return only.id;
  return choices.find(({ value }) => isSameJson(value, given))?.id;
};

const startObject = (node: NodeOf<'object'>, given: unknown): Draft => {
  const values = isObject(given) ? given : {};
  const members = node.members.map(({ name, node: member }) =>
    startDraft(member, Object.hasOwn(values, name) ? values[name] : undefined),
  );
  return { kind: 'object', node, members };
};

const startAlternatives = (node: NodeOf<'alternatives'>, given: unknown): Draft => {
  const fitting = given === undefined ? -1 : node.options.findIndex((option) => fits(option, given));
  const drafts = node.options.map((option, at) => startDraft(option, at === fitting ? given : constantOf(option)));
  const first = node.options[0]?.kind;
  // An empty line says nothing, but an object that is there says something.
  const isStarted = node.isRequired || first === 'text' || first === 'number';
  return { kind: 'alternatives', node, drafts, chosen: fitting >= 0 ? fitting : isStarted ? 0 : undefined };
};

/** Who chooses an alternative that is one value has chosen the value. */
const constantOf = (node: FormNode): unknown =>
  node.kind === 'choice' && isConstant(node) ? node.choices[0]?.value : undefined;

/** Whether a value may be meant for a node: by its type, and by the marks of an object. */
const fits = (node: FormNode, value: unknown): boolean => {
  switch (node.kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'flag':
      return typeof value === 'boolean';
    case 'choice':
      return node.choices.some((choice) => isSameJson(choice.value, value));
    case 'list':
      return isList(value);
    case 'object':
      return (
        isObject(value) &&
        node.members.every((member) => !isConstant(member.node) || fits(member.node, value[member.name]))
      );
    case 'alternatives':
      return node.options.some((option) => fits(option, value));
    case 'json':
      return true;
  }
};

const entryOf = (node: NodeOf<'list'>, key: number, given?: unknown): ListEntry => ({
  key,
  draft: startDraft(node.item, given),
});

export const addEntry = (list: DraftOf<'list'>): DraftOf<'list'> => {
  const key = Math.max(-1, ...list.entries.map((entry) => entry.key)) + 1;
  return { ...list, entries: [...list.entries, entryOf(list.node, key)] };
};

export const removeEntry = (list: DraftOf<'list'>, key: number): DraftOf<'list'> => ({
  ...list,
  entries: list.entries.filter((entry) => entry.key !== key),
});

export const changeEntry = (list: DraftOf<'list'>, key: number, draft: Draft): DraftOf<'list'> => ({
  ...list,
  entries: list.entries.map((entry) => (entry.key === key ? { key, draft } : entry)),
});

export const changeMember = (object: DraftOf<'object'>, at: number, draft: Draft): DraftOf<'object'> => ({
  ...object,
  members: object.members.with(at, draft),
});

export const changeOption = (
  alternatives: DraftOf<'alternatives'>,
  at: number,
  draft: Draft,
): DraftOf<'alternatives'> => ({
  ...alternatives,
  drafts: alternatives.drafts.with(at, draft),
});
