/** The definition of a version as text, and its draft to be written. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../../api/queries.js';
import { useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { Button } from '../../../ui/button.js';
import { CopyButton } from '../../../ui/copy-button.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { Select } from '../../../ui/select.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { CallFault } from '../../faults/call-fault.js';
import { useMe } from '../../session/me.js';
import styles from '../data.module.css';
import { useVersionOptions } from './compare-versions.js';
import { DefinitionEditor, type WrittenDraft } from './definition-editor.js';
import { linesOfDefinition } from './definition-lines.js';
import ownStyles from './models.module.css';
import { choosableVersions, type ModelVersions, type VersionName } from './version-choice.js';

export type DefinitionViewProps = {
  readonly modelId: string;
  readonly found: ModelVersions;
  readonly version: VersionName | undefined;
  readonly onVersion: (version: VersionName) => void;
  /** What somebody writes as the next draft; undefined while nobody does. */
  readonly written: WrittenDraft | undefined;
  readonly onWrite: (written: WrittenDraft | undefined) => void;
};

export const DefinitionView = ({ modelId, found, version, onVersion, written, onWrite }: DefinitionViewProps) => {
  const say = useMessages(dataMessages);
  const options = useVersionOptions(found);
  if (version === undefined) return <EmptyState title={say('noVersions')} />;
  if (written !== undefined) {
    const close = (): void => onWrite(undefined);
    const save = (): void => {
      close();
      onVersion('draft');
    };
    return <DefinitionEditor {...{ modelId, written, onWrite, onSaved: save, onClose: close }} />;
  }
  const choose = (id: string): void => {
    const chosen = choosableVersions(found).find((each) => String(each) === id);
    if (chosen !== undefined) onVersion(chosen);
  };
  return (
    <div className={styles['stack']}>
      <div className={ownStyles['choices']}>
        <Select label={say('version')} options={options} selected={String(version)} onSelect={choose} />
      </div>
      <Definition modelId={modelId} version={String(version)} onEdit={onWrite} />
    </div>
  );
};

type DefinitionProps = {
  readonly modelId: string;
  readonly version: string;
  readonly onEdit: (written: WrittenDraft) => void;
};

const Definition = ({ modelId, version, onEdit }: DefinitionProps) => {
  const say = useMessages(dataMessages);
  const { team } = useMe();
  const read = useQuery(operationQuery('readModelVersion', { team, modelId, version }));
  if (read.isPending) return <Skeleton lines={12} />;
  if (read.isError) return <CallFault error={read.error} onRetry={() => void read.refetch()} />;
  const { definition, digest } = read.data;
  const lines = linesOfDefinition(definition);
  const text = lines.map((line) => line.text).join('\n');
  return (
    <>
      <div className={styles['line']}>
        <Button onPress={() => onEdit({ text, replaces: version === 'draft' ? digest : undefined })}>
          {say('edit')}
        </Button>
        <CopyButton text={text} what={say('definition')} />
      </div>
      <ol className={ownStyles['lines']} aria-label={say('definition')}>
        {lines.map((line, at) => (
          <li key={at}>
            <span className={ownStyles['number']} aria-hidden="true">
              {at + 1}
            </span>
            <code>{line.text}</code>
          </li>
        ))}
      </ol>
    </>
  );
};
