/** The last conversations of a person with the agents of the team. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../api/queries.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { homeMessages } from '../../messages/home/catalogue.js';
import { AreaLink } from '../../ui/area-link.js';
import { Card } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { shorten } from '../../ui/foreign-text.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CallFault } from '../faults/call-fault.js';
import styles from './home.module.css';

/** Each is a request. */
const agentsMax = 3;
const shownMax = 5;
const titleLengthMax = 120;

export const RecentConversations = () => {
  const say = useMessages(homeMessages);
  const { relative } = useFormats();
  const agents = useQuery(operationQuery('listAgents', {}));
  const lists = useQueries({
    queries: (agents.data?.agents ?? [])
      .slice(0, agentsMax)
      .map(({ id }) => operationQuery('listConversations', { agent_id: id, pageSize: shownMax })),
  });
  const failed = [agents, ...lists].find(({ isError }) => isError);
  const isPending = agents.isPending || lists.some((list) => list.isPending);
  const found = lists
    .flatMap(({ data }) => data?.conversations ?? [])
    .toSorted((one, other) => Date.parse(other.changedAt) - Date.parse(one.changedAt))
    .slice(0, shownMax);
  return (
    <Card title={say('conversations')}>
      {isPending && failed === undefined && <Skeleton lines={4} />}
      {failed !== undefined && <CallFault error={failed.error} onRetry={() => void failed.refetch()} />}
      {!isPending && failed === undefined && found.length === 0 && (
        <EmptyState title={say('noConversations')} action={<AreaLink path="/ask">{say('ask')}</AreaLink>}>
          {say('noConversationsText')}
        </EmptyState>
      )}
      {found.length > 0 && (
        <ul className={styles['list']}>
          {found.map(({ agentId, conversationId, firstMessage, changedAt }) => (
            <li key={conversationId} className={styles['entry']}>
              <AreaLink path="/ask" search={{ agent: agentId, conversation: conversationId }}>
                <bdi>{shorten(firstMessage, titleLengthMax)}</bdi>
              </AreaLink>
              <span className={styles['note']}>{relative(changedAt)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
};
