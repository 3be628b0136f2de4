/** The draft of a model, written as text: checked by the server, with each fault at its line, and saved. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.js';
import { refusalOf } from '../../../api/failures.js';
import { useChange } from '../../../api/queries.js';
import { useFormats, useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { Notice } from '../../../ui/badge.js';
import { Button } from '../../../ui/button.js';
import { TextArea } from '../../../ui/field.js';
import { ForeignText } from '../../../ui/foreign-text.js';
import { showToast } from '../../../ui/toast-queue.js';
import { CallFault } from '../../faults/call-fault.js';
import { useMe } from '../../session/me.js';
import styles from '../data.module.css';
import { subjectOf } from '../tables/find-tables.js';
import { linesOfDefinition } from './definition-lines.js';
import { definitionFaultsOf, readWritten, type DefinitionFault, type WrittenDefinition } from './edit-definition.js';
import ownStyles from './models.module.css';
import type { ModelVersions } from './version-choice.js';

export type WrittenDraft = {
  readonly text: string;
  /** Digest of the draft that it is to replace; undefined: there should be none. */
  readonly replaces: string | undefined;
};

export type DefinitionEditorProps = {
  readonly modelId: string;
  /** Kept by the page, so that it is there after a look at another tab. */
  readonly written: WrittenDraft;
  readonly onWrite: (written: WrittenDraft) => void;
  readonly onSaved: () => void;
  readonly onClose: () => void;
};

type Checked =
  | { readonly kind: 'unchecked' }
  | { readonly kind: 'sound' }
  | { readonly kind: 'faults'; readonly faults: readonly DefinitionFault[] }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** There is another draft, or none any more. */
  | { readonly kind: 'overtaken'; readonly draft: ModelVersions['draft'] }
  | Exclude<WrittenDefinition, { readonly kind: 'definition' }>;

export const DefinitionEditor = (props: DefinitionEditorProps) => {
  const say = useMessages(dataMessages);
  const { onClose } = props;
  const { text } = props.written;
  const { write, checked, check, save, isBusy } = useWrittenDraft(props);
  return (
    <div className={styles['stack']}>
      <TextArea label={say('definition')} value={text} onChange={write} rows={24} isCode />
      <CheckResult checked={checked} text={text} />
      <div className={styles['line']}>
        <Button variant="primary" onPress={save} isPending={isBusy}>
          {say('saveDraft')}
        </Button>
        <Button onPress={check} isPending={isBusy}>
          {say('check')}
        </Button>
        <Button variant="quiet" onPress={onClose}>
          {say('discard')}
        </Button>
      </div>
    </div>
  );
};

const useWrittenDraft = ({ modelId, written: { text, replaces }, onWrite, onSaved }: DefinitionEditorProps) => {
  const say = useMessages(dataMessages);
  const { team } = useMe();
  const [checked, setChecked] = useState<Checked>({ kind: 'unchecked' });
  const look = useMutation({ mutationFn: () => call('listModelVersions', { team, modelId }) });
  const apply = useChange('applyModelDefinitions', {
    invalidates: ['listModelVersions', 'readModelVersion', 'compareModelVersions', 'exportModelDefinitions'],
  });
  const send = (mode: 'draft' | 'check', ifMatch?: string): void => {
    const written = readWritten(text, modelId);
    if (written.kind !== 'definition') return setChecked(written);
    const { definition } = written;
    // Lines of faults are those of the text as it is written here.
    onWrite({ text: textOfDefinition(definition), replaces });
    apply.mutate(
      { team, ifMatch, apply: { definitions: [definition], mode } },
      {
        onSuccess: () => {
          setChecked({ kind: 'sound' });
          if (mode === 'check') return;
          showToast('success', say('draftSaved', { model: modelId }));
          onSaved();
        },
        onError: (error) => {
          if (refusalOf(error)?.status === 412) return save();
          const faults = definitionFaultsOf(error, definition);
          setChecked(faults.length > 0 ? { kind: 'faults', faults } : { kind: 'failed', error });
        },
      },
    );
  };
  const write = (changed: string): void => {
    onWrite({ text: changed, replaces });
    setChecked({ kind: 'unchecked' });
  };
  /** What somebody else has saved meanwhile is replaced only by who knows of it. */
  const save = (): void =>
    look.mutate(undefined, {
      onSuccess: ({ draft, versions }) => {
        const latest = draft ?? versions.find(({ isPublished }) => isPublished);
        if (draft?.digest === replaces) return send('draft', latest && `"${latest.digest}"`);
        onWrite({ text, replaces: draft?.digest });
        setChecked({ kind: 'overtaken', draft });
      },
      onError: (error) => setChecked({ kind: 'failed', error }),
    });
  return { write, checked, check: () => send('check'), save, isBusy: look.isPending || apply.isPending };
};

const textOfDefinition = (definition: unknown): string =>
  linesOfDefinition(definition)
    .map((line) => line.text)
    .join('\n');

const Overtaken = ({ draft }: Pick<ModelVersions, 'draft'>) => {
  const say = useMessages(dataMessages);
  const { dateTime } = useFormats();
  return (
    <Notice tone="warning">
      {draft === undefined
        ? say('draftPublished')
        : say('draftOvertaken', { who: subjectOf(draft.changedBy), time: dateTime(draft.changedAt) })}
    </Notice>
  );
};

const CheckResult = ({ checked, text }: { readonly checked: Checked; readonly text: string }) => {
  const say = useMessages(dataMessages);
  switch (checked.kind) {
    case 'unchecked':
      return null;
    case 'sound':
      return <Notice tone="success">{say('sound')}</Notice>;
    case 'otherModel':
      return <Notice tone="danger">{say('otherModel')}</Notice>;
    case 'syntax':
      return (
        <Notice tone="danger">
          {checked.line === undefined ? say('syntax') : say('syntaxAt', { line: checked.line })}{' '}
          <ForeignText text={checked.said} lang="en" />
        </Notice>
      );
    case 'failed':
      return <CallFault error={checked.error} />;
    case 'overtaken':
      return <Overtaken draft={checked.draft} />;
    case 'faults':
      return <Faults faults={checked.faults} text={text} />;
  }
};

const Faults = ({ faults, text }: { readonly faults: readonly DefinitionFault[]; readonly text: string }) => {
  const say = useMessages(dataMessages);
  const lines = text.split('\n');
  return (
    <div className={ownStyles['faults']} role="alert">
      <p>{say('definitionFaults', { count: faults.length })}</p>
      <ul className={styles['stack']}>
        {faults.map(({ line, path, message }, at) => (
          <li key={at}>
            <strong>{say('placeLine', { line })}</strong> <ForeignText text={message} lang="en" />
            <br />
            <code>
              <bdi>{path === '' ? '' : `${path}: `}</bdi>
              <ForeignText text={lines[line - 1]?.trim() ?? ''} />
            </code>
          </li>
        ))}
      </ul>
    </div>
  );
};
