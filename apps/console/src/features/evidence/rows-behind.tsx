/** The rows that were counted or aggregated, record by record: in Figures, and as data where Figures cannot show them. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../api/queries.js';
import { useMessages } from '../../language/language-provider.js';
import { evidenceMessages } from '../../messages/evidence/catalogue.js';
import { AreaLink } from '../../ui/area-link.js';
import { Card } from '../../ui/card.js';
import { Skeleton } from '../../ui/skeleton.js';
import { addressHere, rowsAddress, type Evidence } from './addresses.js';
import styles from './evidence.module.css';

export const RowsBehind = ({ evidence: { result, rows, statement } }: { readonly evidence: Evidence }) => {
  const say = useMessages(evidenceMessages);
  return (
    <Card title={say('rows')}>
      {rows.length === 0 ? (
        <p>{say(result === undefined ? 'rowsNotTold' : 'noRows')}</p>
      ) : (
        <ul className={styles['points']}>
          {rows.map((entry) => (
            <li key={entry.record}>
              <RowsLink modelId={statement.model.id} {...entry} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
};

type RowsLinkProps = { readonly modelId: string; readonly record: string; readonly href: string };

const RowsLink = ({ modelId, record, href }: RowsLinkProps) => {
  const say = useMessages(evidenceMessages);
  const { data, isPending } = useQuery(operationQuery('readRecord', { km_id: modelId, record_id: record }));
  if (isPending) return <Skeleton />;
  if (data === undefined) return <a href={addressHere(href)}>{say('rowsAddress', { record })}</a>;
  return <AreaLink {...rowsAddress(modelId, data, href)}>{say('rowsOf', { record: data.name })}</AreaLink>;
};
