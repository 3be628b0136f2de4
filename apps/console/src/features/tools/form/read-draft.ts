/** The value that a draft stands for, as it is sent, and what keeps it from being sent. */
import { isSameJson, parseJson } from '../../../api/json-values.js';
import type { Draft, DraftOf } from './draft.js';
import { isConstant } from './form-node.js';

/** `path` as the server writes it: `columns.1`. */
export type DraftFault = { readonly path: string; readonly rule: 'required' | 'json' };

export type Reading = {
  readonly isGiven: boolean;
  readonly value?: unknown;
  readonly faults: readonly DraftFault[];
};

type ReadOptions = {
  /** For what others may see. */
  readonly withoutSecrets?: boolean;
};

const absent: Reading = { isGiven: false, faults: [] };
const given = (value: unknown, faults: readonly DraftFault[] = []): Reading => ({ isGiven: true, value, faults });

/** What is empty, or is the standard anyway, is left out where it may be. */
export const readDraft = (draft: Draft, options: ReadOptions = {}, path: readonly string[] = []): Reading => {
  const { isRequired, standard } = draft.node;
  const reading = readState(draft, options, path);
  if (!isRequired) return reading.isGiven && isSameJson(reading.value, standard) ? absent : reading;
  return reading.isGiven || reading.faults.length > 0 ? reading : { ...absent, faults: [fault(path, 'required')] };
};

const fault = (path: readonly string[], rule: DraftFault['rule']): DraftFault => ({ path: path.join('.'), rule });

const readState = (draft: Draft, options: ReadOptions, path: readonly string[]): Reading => {
  switch (draft.kind) {
    case 'text':
      return readText(draft, options);
    case 'number':
      return draft.number === undefined ? absent : given(draft.number);
    case 'flag':
      return given(draft.isOn);
    case 'choice': {
      const choice = draft.node.choices.find(({ id }) => id === draft.chosen);
      return choice === undefined ? absent : given(choice.value);
    }
    case 'list':
      return readList(draft, options, path);
    case 'object':
      return readObject(draft, options, path);
    case 'alternatives': {
      const chosen = draft.chosen === undefined ? undefined : draft.drafts[draft.chosen];
      return chosen === undefined ? absent : readDraft(chosen, options, path);
    }
    case 'json':
      return readJson(draft.text, path);
  }
};

const readText = ({ text, node }: DraftOf<'text'>, { withoutSecrets = false }: ReadOptions): Reading => {
  if (node.isSecret && withoutSecrets) return absent;
  return text === '' && !(node.isRequired && node.mayBeEmpty) ? absent : given(text);
};

const readJson = (text: string, path: readonly string[]): Reading => {
  if (text.trim() === '') return absent;
  const parsed = parseJson(text);
  return parsed === undefined ? { ...absent, faults: [fault(path, 'json')] } : given(parsed.value);
};

const readList = ({ entries, node }: DraftOf<'list'>, options: ReadOptions, path: readonly string[]): Reading => {
  const readings = entries.map(({ draft }, at) => readDraft(draft, options, [...path, String(at)]));
  if (readings.length === 0) return node.isRequired ? given([]) : absent;
  return given(
    readings.filter(({ isGiven }) => isGiven).map(({ value }) => value),
    readings.flatMap(({ faults }) => faults),
  );
};

const readObject = ({ members, node }: DraftOf<'object'>, options: ReadOptions, path: readonly string[]): Reading => {
  const readings = node.members.flatMap(({ name, node: member }, at) => {
    const draft = members[at];
    return draft === undefined ? [] : [{ name, member, ...readDraft(draft, options, [...path, name]) }];
  });
  const stated = readings.filter(({ isGiven, member }) => isGiven && !isConstant(member));
  const faults = readings.flatMap((reading) => reading.faults);
  // Nobody has begun to fill it in, so nothing of it is missing.
  if (!node.isRequired && stated.length === 0 && faults.every(({ rule }) => rule === 'required')) return absent;
  const values = readings.filter(({ isGiven }) => isGiven).map(({ name, value }) => [name, value] as const);
  return given(Object.fromEntries(values), faults);
};
