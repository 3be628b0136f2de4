/** The open records of a model: those that lead to one with a policy and have none of their own. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../../api/queries.js';
import { useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { Notice } from '../../../ui/badge.js';
import { ForeignText } from '../../../ui/foreign-text.js';
import { useMe } from '../../session/me.js';
import ownStyles from './models.module.css';

/** `records`: in sentences of the server. */
export const OpenRecords = ({ records }: { readonly records: readonly string[] }) => {
  const say = useMessages(dataMessages);
  if (records.length === 0) return null;
  return (
    <Notice tone="warning">
      {say('openRecords', { count: records.length })}
      <ul className={ownStyles['paths']}>
        {records.map((record) => (
          <li key={record}>
            <ForeignText text={record} lang="en" />
          </li>
        ))}
      </ul>
    </Notice>
  );
};

/** Of the version that everybody reads; nothing while it is not known. */
export const PublishedOpenRecords = ({ modelId }: { readonly modelId: string }) => {
  const { team } = useMe();
  const published = { from: 'published', to: 'published' } as const;
  const { data } = useQuery(operationQuery('compareModelVersions', { team, modelId, ...published }));
  return <OpenRecords records={data?.openRecords ?? []} />;
};
