/** What differs between two versions of a model, with what it was and what it is. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../../api/queries.js';
import { useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { Badge, type Tone } from '../../../ui/badge.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { ForeignText } from '../../../ui/foreign-text.js';
import { Select } from '../../../ui/select.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { CallFault } from '../../faults/call-fault.js';
import { useMe } from '../../session/me.js';
import styles from '../data.module.css';
import { showChanges, type ShownChange } from './compare-values.js';
import ownStyles from './models.module.css';
import { OpenRecords } from './open-records.js';
import { choosableVersions, type ModelVersions, type VersionName } from './version-choice.js';

export type CompareVersionsProps = {
  readonly modelId: string;
  readonly found: ModelVersions;
  readonly from: VersionName | undefined;
  readonly to: VersionName | undefined;
  readonly onChoose: (chosen: { readonly from: VersionName; readonly to: VersionName }) => void;
};

export const CompareVersions = ({ modelId, found, from, to, onChoose }: CompareVersionsProps) => {
  const say = useMessages(dataMessages);
  const options = useVersionOptions(found);
  if (from === undefined || to === undefined)
    return <EmptyState title={say('nothingToCompare')}>{say('nothingToCompareText')}</EmptyState>;
  const choose = (side: 'from' | 'to', id: string): void => {
    const version = choosableVersions(found).find((each) => String(each) === id);
    if (version !== undefined) onChoose({ from, to, [side]: version });
  };
  return (
    <div className={styles['stack']}>
      <div className={ownStyles['choices']}>
        <Select label={say('from')} options={options} selected={String(from)} onSelect={(id) => choose('from', id)} />
        <Select label={say('to')} options={options} selected={String(to)} onSelect={(id) => choose('to', id)} />
      </div>
      <Changes modelId={modelId} from={String(from)} to={String(to)} />
    </div>
  );
};

export const useVersionOptions = (found: ModelVersions) => {
  const say = useMessages(dataMessages);
  return choosableVersions(found).map((version) => ({
    id: String(version),
    label: typeof version === 'number' ? say('versionNumber', { version }) : say(version),
  }));
};

type ChangesProps = { readonly modelId: string; readonly from: string; readonly to: string };

const Changes = ({ modelId, from, to }: ChangesProps) => {
  const say = useMessages(dataMessages);
  const { team } = useMe();
  const compared = useQuery(operationQuery('compareModelVersions', { team, modelId, from, to }));
  const before = useQuery(operationQuery('readModelVersion', { team, modelId, version: from }));
  const after = useQuery(operationQuery('readModelVersion', { team, modelId, version: to }));
  const failed = [compared, before, after].find(({ isError }) => isError);
  if (failed !== undefined) return <CallFault error={failed.error} onRetry={() => void failed.refetch()} />;
  if (compared.data === undefined || before.data === undefined || after.data === undefined)
    return <Skeleton lines={6} />;
  const changes = showChanges(compared.data.changes, before.data.definition, after.data.definition);
  const open = <OpenRecords records={compared.data.openRecords ?? []} />;
  if (changes.length === 0)
    return (
      <>
        {open}
        <EmptyState title={say('sameVersions')} />
      </>
    );
  return (
    <>
      {open}
      <p>{say('changeCount', { count: changes.length })}</p>
      <ul className={styles['stack']} aria-label={say('changes')}>
        {changes.map((change) => (
          <li key={`${change.change} ${change.path}`} className={ownStyles['change']}>
            <OneChange change={change} />
          </li>
        ))}
      </ul>
    </>
  );
};

const changeTones: Readonly<Record<ShownChange['change'], Tone>> = {
  added: 'success',
  removed: 'danger',
  changed: 'accent',
};

const OneChange = ({ change: { path, change, breaks, before, after } }: { readonly change: ShownChange }) => {
  const say = useMessages(dataMessages);
  return (
    <>
      <p className={styles['line']}>
        <Badge tone={changeTones[change]}>{say(change)}</Badge>
        <code>
          <bdi>{path}</bdi>
        </code>
        {breaks && <Badge tone="warning">{say('breaks')}</Badge>}
      </p>
      <dl className={ownStyles['values']}>
        {before !== undefined && <Value name={say('before')} text={before} />}
        {after !== undefined && <Value name={say('after')} text={after} />}
      </dl>
    </>
  );
};

const Value = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <ForeignText text={text} />
    </dd>
  </div>
);
