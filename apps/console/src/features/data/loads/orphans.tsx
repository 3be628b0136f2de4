/** References that lead nowhere, as a load found them. */
import { useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { Notice } from '../../../ui/badge.js';
import { ForeignText } from '../../../ui/foreign-text.js';
import ownStyles from './loads.module.css';
import type { LoadStatus } from './run-load.js';

export const Orphans = ({ orphans }: { readonly orphans: NonNullable<LoadStatus['orphans']> }) => {
  const say = useMessages(dataMessages);
  if (orphans.length === 0) return null;
  return (
    <Notice tone="warning">
      <ul className={ownStyles['problems']}>
        {orphans.map(({ from, columns, to, rows, values }) => (
          <li key={`${from} ${columns.join(' ')} ${to}`}>
            {say('orphans', { count: rows, from, to, columns: columns.join(', ') })}{' '}
            <ForeignText text={values.map((value) => value.join(' ')).join(', ')} />
          </li>
        ))}
      </ul>
    </Notice>
  );
};
