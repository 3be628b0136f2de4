import { useMessages } from '../../../language/language-provider.js';
import { toolsMessages } from '../../../messages/tools/catalogue.js';
import { Select } from '../../../ui/select.js';
import styles from '../tools.module.css';
import { ArgumentField, type ArgumentFieldProps, type FieldWords } from './argument-field.js';
import { changeOption, type DraftOf } from './draft.js';
import { isConstant, type FormNode } from './form-node.js';

const notStatedId = 'not stated';

const kindNames = {
  ...{ text: 'kindText', number: 'kindNumber', flag: 'kindFlag', choice: 'kindChoice' },
  ...{ list: 'kindList', object: 'kindObject', alternatives: 'kindChoice', json: 'kindJson' },
} as const satisfies Readonly<Record<FormNode['kind'], keyof typeof toolsMessages.en>>;

/** What an alternative is marked by: its only value, or that of a member. */
const markOf = (node: FormNode): string | undefined => {
  if (node.kind === 'choice' && isConstant(node)) return node.choices[0]?.label;
  if (node.kind !== 'object') return undefined;
  const mark = node.members.find((member) => isConstant(member.node));
  return mark === undefined ? undefined : markOf(mark.node);
};

/** One of several kinds of values, and the field of the kind that is chosen. */
export const AlternativesField = (props: ArgumentFieldProps<DraftOf<'alternatives'>> & FieldWords) => {
  const { label, path, draft, faults, onChange, description, error } = props;
  const say = useMessages(toolsMessages);
  const nameOf = (node: FormNode): string => {
    if (node.kind === 'choice' && isConstant(node) && node.choices[0]?.value === null) return say('null');
    return node.title ?? markOf(node) ?? say(kindNames[node.kind]);
  };
  const { options: nodes, isRequired } = draft.node;
  const options = nodes.map((node, at) => ({ id: String(at), label: nameOf(node) }));
  const chosen = draft.chosen === undefined ? undefined : draft.drafts[draft.chosen];
  const choose = (id: string): void =>
    onChange({ ...draft, chosen: id === notStatedId ? undefined : Number.parseInt(id, 10) });
  const change = (at: number | undefined, changed: DraftOf<'alternatives'>['drafts'][number]): void => {
    if (at !== undefined) onChange(changeOption(draft, at, changed));
  };
  return (
    <div className={styles['members']}>
      <Select
        label={say('kindOf', { name: label })}
        options={isRequired ? options : [{ id: notStatedId, label: say('notStated') }, ...options]}
        selected={draft.chosen === undefined ? undefined : String(draft.chosen)}
        onSelect={choose}
        description={description}
        error={chosen === undefined ? error : undefined}
        isRequired={isRequired}
      />
      {chosen !== undefined && !isConstant(chosen.node) && (
        <ArgumentField
          label={label}
          path={path}
          draft={chosen}
          faults={faults}
          onChange={(changed) => change(draft.chosen, changed)}
        />
      )}
    </div>
  );
};
