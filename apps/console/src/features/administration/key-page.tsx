/** One key: what it may do, when it was used, and its end. The key itself is nowhere. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/queries.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { PageHead } from '../../ui/page-head.js';
import { Skeleton } from '../../ui/skeleton.js';
import { TextLink } from '../../ui/text-link.js';
import { showToast } from '../../ui/toast-queue.js';
import { CallFault } from '../faults/call-fault.js';
import { allKeysQuery } from './all-keys.js';
import { describeAttributes } from './attribute-lines.js';
import { stateOfKey, type ApiKey } from './key-draft.js';
import { KeyStateBadge } from './key-state-badge.js';
import { ScopeBadges } from './scope-badges.js';
import { useTeam } from './team.js';

export const KeyPage = ({ keyId }: { readonly keyId: string }) => {
  const say = useMessages(administrationMessages);
  const keys = useQuery(allKeysQuery(useTeam().team));
  const key = keys.data?.find((each) => each.keyId === keyId);
  const back = (
    <TextLink key="keys" to="/administration/keys">
      {say('keys')}
    </TextLink>
  );
  const isRevocable = key !== undefined && stateOfKey(key, Date.now()) !== 'revoked';
  return (
    <>
      <PageHead
        title={key?.name ?? keyId}
        trail={[back]}
        actions={isRevocable ? <RevokeKey apiKey={key} /> : undefined}
      />
      {keys.isPending && <Skeleton lines={8} />}
      {keys.isError && <CallFault error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.isSuccess && key === undefined && <EmptyState title={say('noKey')} action={back} />}
      {key !== undefined && <KeyCard apiKey={key} />}
    </>
  );
};

const KeyCard = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const say = useMessages(administrationMessages);
  const { dateTime } = useFormats();
  const { keyId, scopes, furtherScopes, attributes, hourlyLimit, madeBy } = apiKey;
  const instant = (name: string, at: string | undefined, otherwise?: string): readonly Fact[] =>
    at === undefined && otherwise === undefined ? [] : [{ name, value: at === undefined ? otherwise : dateTime(at) }];
  const text = (name: string, value: string): readonly Fact[] =>
    value === '' ? [] : [{ name, value: <ForeignText text={value} /> }];
  return (
    <Card title={say('keyCard')} actions={<KeyStateBadge apiKey={apiKey} />}>
      <Facts
        facts={[
          { name: say('keyId'), value: <code>{keyId}</code> },
          { name: say('scopes'), value: <ScopeBadges scopes={scopes} /> },
          ...text(say('furtherScopes'), furtherScopes.join(', ')),
          ...text(say('attributes'), describeAttributes(attributes)),
          { name: say('limit'), value: say('limitValue', { count: hourlyLimit }) },
          ...instant(say('lastUsed'), apiKey.lastUsedAt, say('never')),
          ...instant(say('expires'), apiKey.expiresAt, say('never')),
          ...instant(say('made'), apiKey.createdAt),
          { name: say('madeBy'), value: say(madeBy === 'team' ? 'byTeam' : 'byOperators') },
          ...instant(say('revokedAt'), apiKey.revokedAt),
        ]}
      />
    </Card>
  );
};

const RevokeKey = ({ apiKey: { keyId, name } }: { readonly apiKey: ApiKey }) => {
  const say = useMessages(administrationMessages);
  const { team } = useTeam();
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const revoke = useChange('revokeKey', { invalidates: ['listAccessChanges'] });
  const confirm = (): void =>
    revoke.mutate(
      { keyId, team },
      {
        onSuccess: () => {
          showToast('success', say('keyRevoked', { key: name }));
          // Only now: a key that is revoked has no such button.
          void client.invalidateQueries({ queryKey: ['listKeys'] });
        },
      },
    );
  return (
    <>
      <Button variant="danger" onPress={() => setAsking(true)}>
        {say('revokeKey')}
      </Button>
      <ConfirmDialog
        title={say('revokeKeyTitle', { key: name })}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirm={say('revokeKey')}
        onConfirm={confirm}
        isDangerous
        isPending={revoke.isPending}
      >
        <p>{say('revokeKeyText')}</p>
        {revoke.isError && <CallFault error={revoke.error} />}
      </ConfirmDialog>
    </>
  );
};
