/** The storages that a person may read, with their facets, and a search in each. */
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useMessages, usePreferences } from '../../language/language-provider.js';
import { processesMessages } from '../../messages/processes/catalogue.js';
import { Button } from '../../ui/button.js';
import { Card, CardGrid } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { SearchField } from '../../ui/field.js';
import { PageHead } from '../../ui/page-head.js';
import { Skeleton } from '../../ui/skeleton.js';
import { TextLink } from '../../ui/text-link.js';
import { CallFault } from '../faults/call-fault.js';
import { useMay } from '../session/me.js';
import { storagesQuery } from './content-queries.js';
import { chooseCulture, cultureName } from './cultures.js';
import { definedName } from './names.js';
import type { StoragePlace } from './place.js';
import styles from './processes.module.css';
import type { ReadableStorage } from './viewpoint.js';

export type ProcessesProps = { readonly onFind: (place: StoragePlace, text: string) => void };

export const Processes = ({ onFind }: ProcessesProps) => {
  const say = useMessages(processesMessages);
  const may = useMay();
  return (
    <>
      <PageHead title={say('title')} actions={may('admin') && <TextLink to="/processes/bin">{say('bin')}</TextLink>}>
        {may('content:read') && say('lead')}
      </PageHead>
      {may('content:read') ? (
        <Storages onFind={onFind} />
      ) : (
        <EmptyState title={say('noContentScope')}>{say('noContentScopeDetail')}</EmptyState>
      )}
    </>
  );
};

const Storages = ({ onFind }: ProcessesProps) => {
  const say = useMessages(processesMessages);
  const storages = useQuery(storagesQuery);
  return (
    <>
      {storages.isPending && <Skeleton shape="box" lines={2} />}
      {storages.isError && <CallFault error={storages.error} onRetry={() => void storages.refetch()} />}
      {storages.data?.values.length === 0 && <EmptyState title={say('noStorage')}>{say('noStorageDetail')}</EmptyState>}
      <CardGrid>
        {storages.data?.values.map((storage) => (
          <StorageCard key={`${storage.collection}/${storage.id}`} storage={storage} onFind={onFind} />
        ))}
      </CardGrid>
    </>
  );
};

const StorageCard = ({ storage, onFind }: ProcessesProps & { readonly storage: ReadableStorage }) => {
  const say = useMessages(processesMessages);
  const { language } = usePreferences();
  const [text, setText] = useState('');
  const culture = chooseCulture(storage, language);
  const cultures = storage.cultures.map(String);
  const place = { collectionId: storage.collection, storageId: storage.id };
  const find = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') onFind(place, text.trim());
  };
  return (
    <Card title={storage.title}>
      <p className={styles['note']}>
        <bdi>{`${storage.collection}/${storage.id}`}</bdi> ·{' '}
        {cultures.map((each) => cultureName(each, cultures, language)).join(', ')}
      </p>
      <form className={styles['search']} onSubmit={find}>
        <SearchField
          label={say('findIn', { storage: storage.title })}
          placeholder={say('find')}
          value={text}
          onChange={setText}
        />
        <Button type="submit">{say('findButton')}</Button>
      </form>
      <ul className={styles['facets']}>
        {storage.facets.map(({ name, displayNames }) => (
          <li key={name}>
            <TextLink to="/processes/$collectionId/$storageId" params={place} search={{ facet: name }}>
              <bdi>{definedName(name, displayNames, culture)}</bdi>
            </TextLink>
          </li>
        ))}
      </ul>
    </Card>
  );
};
