/** What pages of one storage have in common: it is found, and what the address says of language and moment holds for all below. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useMessages, usePreferences } from '../../language/language-provider.js';
import { processesMessages } from '../../messages/processes/catalogue.js';
import { EmptyState } from '../../ui/empty-state.js';
import { PageHead } from '../../ui/page-head.js';
import { Select } from '../../ui/select.js';
import { Skeleton } from '../../ui/skeleton.js';
import { TextLink } from '../../ui/text-link.js';
import { CallFault } from '../faults/call-fault.js';
import { storagesQuery } from './content-queries.js';
import { useCultureName } from './element-name.js';
import type { StoragePlace, ViewpointSearch } from './place.js';
import { findStorage, useViewpoint, ViewpointContext, viewpointOf } from './viewpoint.js';

export type StorageFrameProps = {
  readonly place: StoragePlace;
  readonly search: ViewpointSearch;
  readonly children: ReactNode;
};

export const StorageFrame = ({ place, search: { culture, at }, children }: StorageFrameProps) => {
  const say = useMessages(processesMessages);
  const { language } = usePreferences();
  const storages = useQuery(storagesQuery);
  const storage = storages.data && findStorage(storages.data.values, place);
  const viewpoint = useMemo(
    () => storage && viewpointOf(storage, { culture, at }, language),
    [storage, culture, at, language],
  );
  if (storages.isPending) return <Skeleton lines={8} />;
  if (storages.data === undefined) return <CallFault error={storages.error} onRetry={() => void storages.refetch()} />;
  if (viewpoint === undefined)
    return (
      <>
        <PageHead title={say('title')} />
        <EmptyState title={say('storageNotFound')} action={<TextLink to="/processes">{say('toStorages')}</TextLink>}>
          {say('storageNotFoundDetail')}
        </EmptyState>
      </>
    );
  return <ViewpointContext value={viewpoint}>{children}</ViewpointContext>;
};

/** In which language names are shown. Hidden where a storage has one. */
export const CultureSelect = ({ onSelect }: { readonly onSelect: (culture: number) => void }) => {
  const say = useMessages(processesMessages);
  const { culture, cultures } = useViewpoint();
  const cultureNameOf = useCultureName();
  if (cultures.length < 2) return null;
  return (
    <Select
      label={say('culture')}
      options={cultures.map((id) => ({ id, label: cultureNameOf(id) }))}
      selected={culture}
      onSelect={(id) => onSelect(Number(id))}
    />
  );
};
