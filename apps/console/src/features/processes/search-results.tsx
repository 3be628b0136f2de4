/** The search over all facets of a storage. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { pagedQuery } from '../../api/queries.js';
import type { AnswerFor } from '../../api/operations.js';
import { useMessages } from '../../language/language-provider.js';
import { processesMessages } from '../../messages/processes/catalogue.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { SearchField } from '../../ui/field.js';
import { shorten } from '../../ui/foreign-text.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CallFault } from '../faults/call-fault.js';
import { readElements } from './content-element.js';
import { ElementLink } from './element-name.js';
import { definedName, textInCulture } from './names.js';
import styles from './processes.module.css';
import { StateBadge } from './states.js';
import { useViewpoint } from './viewpoint.js';

const delayMs = 300;
const lengthMax = 500;
/** As many as the server tells. */
const pageMax = 10;
const pageSize = 20;
const stepLengthMax = 60;

export type SearchBoxProps = {
  readonly find: string | undefined;
  /** Some moments after something was typed, or at once for the enter key; undefined when the field is empty. */
  readonly onFind: (find: string | undefined) => void;
};

export const SearchBox = ({ find, onFind }: SearchBoxProps) => {
  const say = useMessages(processesMessages);
  const { storage } = useViewpoint();
  const [text, setText] = useState(find ?? '');
  const told = useRef(find);
  useEffect(() => {
    // The address was changed by something else than this field: a step back.
    if (told.current === find) return;
    told.current = find;
    setText(find ?? '');
  }, [find]);
  const tell = (typed: string): void => {
    const wanted = typed.trim().slice(0, lengthMax) || undefined;
    if (wanted === told.current) return;
    told.current = wanted;
    onFind(wanted);
  };
  const latest = useRef(tell);
  useEffect(() => {
    latest.current = tell;
  });
  useEffect(() => {
    const timer = setTimeout(() => latest.current(text), delayMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <SearchField
      label={say('findIn', { storage: storage.title })}
      placeholder={say('find')}
      value={text}
      onChange={setText}
      onSubmit={tell}
    />
  );
};

type Found = AnswerFor<'searchElements'>['values'][number];

export const SearchResults = ({ find }: { readonly find: string }) => {
  const say = useMessages(processesMessages);
  const { place, asOf } = useViewpoint();
  const found = useInfiniteQuery(
    pagedQuery(
      'searchElements',
      { ...place, $search: find, $pageSize: pageSize },
      ({ nextUri }, { $page = 1, ...asked }) =>
        nextUri === undefined || $page >= pageMax ? undefined : { ...asked, $page: $page + 1 },
    ),
  );
  if (found.isPending) return <Skeleton shape="box" lines={3} />;
  if (found.isError) return <CallFault error={found.error} onRetry={() => void found.refetch()} />;
  const entries = found.data.pages.flatMap(({ values }) => values);
  // The last page that the server tells does not say whether there are more.
  const isCut = entries.length >= pageMax * pageSize;
  if (entries.length === 0)
    return <EmptyState title={say('nothingFound', { text: find })}>{say('nothingFoundDetail')}</EmptyState>;
  return (
    <section className={styles['parts']} aria-label={say('results')}>
      <p className={styles['note']} role="status">
        {say(found.hasNextPage ? 'foundSome' : isCut ? 'foundBest' : 'found', { count: entries.length })}
        {asOf !== undefined && ` ${say('foundNow')}`}
      </p>
      <ul className={styles['results']}>
        {entries.map((entry) => (
          <Result key={entry.id} entry={entry} />
        ))}
      </ul>
      {found.hasNextPage && (
        <div>
          <Button onPress={() => void found.fetchNextPage()} isPending={found.isFetchingNextPage}>
            {say('more')}
          </Button>
        </div>
      )}
    </section>
  );
};

const Result = ({ entry }: { readonly entry: Found }) => {
  const { storage, culture } = useViewpoint();
  const [element] = readElements([{ ...entry, attributes: { name: entry.name } }]);
  if (element === undefined) return null;
  const facet = storage.facets.find(({ name }) => name === entry.facetName);
  const path = [
    definedName(entry.facetName, facet?.displayNames, culture),
    ...entry.rootPath.toReversed().map(({ name }) => shorten(textInCulture(name, culture).text, stepLengthMax)),
  ];
  return (
    <li className={styles['result']}>
      <span className={styles['line']}>
        <span className={styles['fit']}>
          <ElementLink element={element} />
        </span>
        <StateBadge state={entry.state} />
      </span>
      <span className={styles['note']}>
        <bdi>{definedName(entry.type, entry.displayNames, culture)}</bdi>
        {' · '}
        {path.map((step, at) => (
          <span key={at}>
            {at > 0 && ' › '}
            <bdi>{step}</bdi>
          </span>
        ))}
      </span>
    </li>
  );
};
