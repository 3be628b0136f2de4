/** The elements of a view that is a tree. Children are loaded when their node is opened; which nodes are open is in the address. */
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { refusalOf } from '../../api/failures.js';
import { useMessages } from '../../language/language-provider.js';
import { processesMessages } from '../../messages/processes/catalogue.js';
import { EmptyState } from '../../ui/empty-state.js';
import { shorten } from '../../ui/foreign-text.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Tree } from '../../ui/tree.js';
import { CallFault } from '../faults/call-fault.js';
import type { ContentElement } from './content-element.js';
import { childrenQuery, rootsQuery, type ViewPlace } from './content-queries.js';
import { GapMark } from './element-name.js';
import { ContentFault } from './content-fault.js';
import { nameOf } from './names.js';
import { openIds, openText } from './place.js';
import styles from './processes.module.css';
import { isUsualState, StateBadge } from './states.js';
import { ElementNodes, type NodeWords } from './tree-nodes.js';
import { useViewpoint } from './viewpoint.js';

const labelLengthMax = 200;

export type ElementTreeProps = {
  readonly place: ViewPlace;
  /** Ids of opened nodes, as the address has them. */
  readonly open: string | undefined;
  readonly onOpen: (open: string | undefined) => void;
  readonly onElement: (elementId: string) => void;
};

export const ElementTree = ({ place, open, onOpen, onElement }: ElementTreeProps) => {
  const say = useMessages(processesMessages);
  const describe = useNodeWords();
  const [maker] = useState(() => new ElementNodes());
  const expanded = useMemo(() => openIds(open), [open]);
  const roots = useQuery(rootsQuery(place));
  const { children, failed } = useChildren(place, expanded);
  const nodes = useMemo(() => maker.of(roots.data ?? [], children, describe), [maker, roots.data, children, describe]);
  if (roots.isPending) return <Skeleton shape="box" lines={3} />;
  if (roots.isError) return <ContentFault error={roots.error} onRetry={() => void roots.refetch()} />;
  return (
    <div className={styles['parts']}>
      {failed[0] !== undefined && (
        <CallFault error={failed[0].error} onRetry={() => failed.forEach((query) => void query.refetch())} />
      )}
      <Tree
        label={say('elements')}
        nodes={nodes}
        expanded={expanded}
        onExpand={(ids) => onOpen(openText(ids))}
        onOpen={onElement}
        empty={<EmptyState title={say('noElements')}>{say('noElementsDetail')}</EmptyState>}
      />
    </div>
  );
};

type Loaded = {
  readonly children: ReadonlyMap<string, readonly ContentElement[]>;
  readonly failed: readonly UseQueryResult<readonly ContentElement[]>[];
};

/** An address may open what is not there at its moment, or is not there any more. */
const isNotThere = (result: UseQueryResult<unknown> | undefined): boolean => refusalOf(result?.error)?.status === 404;
const noElements: readonly ContentElement[] = [];

/** The children of opened nodes, as far as they are there. */
const useChildren = (place: ViewPlace, expanded: ReadonlySet<string>): Loaded => {
  const ids = useMemo(() => [...expanded], [expanded]);
  // Kept between renders, so that it runs only when an answer has changed.
  const combine = useCallback(
    (results: readonly UseQueryResult<readonly ContentElement[]>[]): Loaded => ({
      children: new Map(
        ids.flatMap((id, at) => {
          const list = isNotThere(results[at]) ? noElements : results[at]?.data;
          return list === undefined ? [] : [[id, list] as const];
        }),
      ),
      failed: results.filter((result) => result.isError && !isNotThere(result)),
    }),
    [ids],
  );
  return useQueries({ queries: ids.map((id) => childrenQuery(place, id)), combine });
};

const useNodeWords = (): ((element: ContentElement) => NodeWords) => {
  const say = useMessages(processesMessages);
  const { culture } = useViewpoint();
  return useCallback(
    (element) => {
      const { text, isGap } = nameOf(element, culture);
      const isUsual = isUsualState(element.state);
      return {
        label: text === '' ? say('nameless') : shorten(text, labelLengthMax),
        ...((isGap || !isUsual) && {
          mark: (
            <span className={styles['marks']}>
              {isGap && <GapMark culture={culture} />}
              {!isUsual && <StateBadge state={element.state} />}
            </span>
          ),
        }),
      };
    },
    [say, culture],
  );
};
