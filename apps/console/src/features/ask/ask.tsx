/** Conversations with the agents of the team. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../api/queries.js';
import { useMessages } from '../../language/language-provider.js';
import { askMessages } from '../../messages/ask/catalogue.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { PageHead } from '../../ui/page-head.js';
import { Select } from '../../ui/select.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CallFault } from '../faults/call-fault.js';
import styles from './ask.module.css';
import { ConversationList } from './conversation-list.js';
import { Conversation } from './conversation.js';

/** The state that the address holds. */
export type AskSearch = {
  /** The id of the agent; the first one when absent. */
  readonly agent?: string;
  /** The id of the conversation that is open; a new one when absent. */
  readonly conversation?: string;
  /** Steps that are open, as `turn.call`: `2.0`. */
  readonly open?: readonly string[];
  /** What stands in the field to begin with: a link from elsewhere may suggest a question, and never asks it. */
  readonly question?: string;
};

export type AskProps = {
  readonly search: AskSearch;
  /** What is undefined goes; `replace` leaves no step to go back to. */
  readonly onSearch: (changed: AskSearch, how?: { readonly replace: boolean }) => void;
};

const elsewhere = { conversation: undefined, open: undefined, question: undefined };

export const Ask = ({ search, onSearch }: AskProps) => {
  const say = useMessages(askMessages);
  const agents = useQuery(operationQuery('listAgents', {}));
  const agentId = search.agent ?? agents.data?.agents[0]?.id;
  return (
    <>
      <PageHead
        title={say('title')}
        actions={
          search.conversation !== undefined && (
            <Button icon="talk" onPress={() => onSearch(elsewhere)}>
              {say('newConversation')}
            </Button>
          )
        }
      >
        {say('lead')}
      </PageHead>
      {agents.isPending && <Skeleton lines={6} />}
      {agents.isError && <CallFault error={agents.error} onRetry={() => void agents.refetch()} />}
      {agents.isSuccess && agentId === undefined && (
        <EmptyState title={say('noAgents')}>{say('noAgentsText')}</EmptyState>
      )}
      {agents.isSuccess && agentId !== undefined && (
        <WithAgent {...{ agents: agents.data.agents, agentId, search, onSearch }} />
      )}
    </>
  );
};

type Agent = { readonly id: string; readonly name: string; readonly description: string };
type WithAgentProps = AskProps & { readonly agents: readonly Agent[]; readonly agentId: string };

const WithAgent = ({ agents, agentId, search, onSearch }: WithAgentProps) => {
  const say = useMessages(askMessages);
  const { conversation, question, open = [] } = search;
  return (
    <div className={styles['columns']}>
      <div className={styles['main']}>
        <AgentChoice agents={agents} agentId={agentId} onChoose={(agent) => onSearch({ ...elsewhere, agent })} />
        <Conversation
          agentId={agentId}
          conversationId={conversation}
          suggested={question}
          onSuggestionUsed={() => onSearch({ question: undefined }, { replace: true })}
          openSteps={open}
          onToggleStep={(id, isOpen) => {
            const now = isOpen ? [...open, id] : open.filter((each) => each !== id);
            onSearch({ open: now.length === 0 ? undefined : now }, { replace: true });
          }}
          onBegun={(begunId) => onSearch({ agent: agentId, conversation: begunId }, { replace: true })}
        />
      </div>
      <aside className={styles['aside']} aria-labelledby={listHeadingId}>
        <h2 id={listHeadingId}>{say('conversations')}</h2>
        <ConversationList
          key={agentId}
          agentId={agentId}
          onDeleted={(deletedId) => {
            if (deletedId === conversation) onSearch(elsewhere, { replace: true });
          }}
        />
      </aside>
    </div>
  );
};

const listHeadingId = 'ask-conversations';

type AgentChoiceProps = Omit<WithAgentProps, keyof AskProps> & { readonly onChoose: (agentId: string) => void };

const AgentChoice = ({ agents, agentId, onChoose }: AgentChoiceProps) => {
  const say = useMessages(askMessages);
  const chosen = agents.find(({ id }) => id === agentId);
  return (
    <div className={styles['agent']}>
      {agents.length > 1 || chosen === undefined ? (
        <Select
          label={say('agent')}
          options={agents.map(({ id, name }) => ({ id, label: name === '' ? id : name }))}
          selected={agentId}
          onSelect={onChoose}
        />
      ) : (
        <p className={styles['name']}>
          <bdi>{chosen.name === '' ? chosen.id : chosen.name}</bdi>
        </p>
      )}
      {chosen !== undefined && chosen.description !== '' && <ForeignText text={chosen.description} isBlock />}
    </div>
  );
};
