/** Publishes the draft of a model, after saying what that changes and what may fail afterwards. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerFor } from '../../../api/operations.js';
import { operationQuery, useChange } from '../../../api/queries.js';
import { useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { Notice } from '../../../ui/badge.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { ForeignText } from '../../../ui/foreign-text.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { showToast } from '../../../ui/toast-queue.js';
import { CallFault } from '../../faults/call-fault.js';
import { useMe } from '../../session/me.js';
import ownStyles from './models.module.css';

type PublishDraftProps = { readonly modelId: string };

export const PublishDraft = ({ modelId }: PublishDraftProps) => {
  const say = useMessages(dataMessages);
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button variant="primary" onPress={() => setAsked(true)}>
        {say('publish')}
      </Button>
      {isAsked && <PublishDialog modelId={modelId} onClose={() => setAsked(false)} />}
    </>
  );
};

const PublishDialog = ({ modelId, onClose }: PublishDraftProps & { readonly onClose: () => void }) => {
  const say = useMessages(dataMessages);
  const { team } = useMe();
  // What is asked about is what is published, also when somebody changes the draft meanwhile.
  const publish = useChange('applyModelDefinitions', {
    invalidates: ['listModelVersions', 'readModelVersion', 'compareModelVersions', 'exportModelDefinitions'],
  });
  const draft = useQuery({
    ...operationQuery('readModelVersion', { team, modelId, version: 'draft' }),
    // There is none any more once it is published.
    enabled: !publish.isPending && !publish.isSuccess,
  });
  const definition = draft.data?.definition;
  const checked = useQuery({
    ...operationQuery('applyModelDefinitions', {
      team,
      apply: { definitions: definition === undefined ? [] : [definition], mode: 'check' },
    }),
    enabled: definition !== undefined,
  });
  const act = (): void => {
    if (definition === undefined || checked.data === undefined) return;
    publish.mutate(
      { team, apply: { definitions: [definition], mode: 'publish' } },
      {
        onSuccess: ({ definitions: [applied] }) => {
          showToast('success', say('publishedAs', { model: modelId, version: applied?.version ?? 0 }));
          onClose();
        },
      },
    );
  };
  const error = draft.error ?? checked.error ?? publish.error;
  return (
    <ConfirmDialog
      title={say('publishTitle')}
      isOpen
      onClose={onClose}
      confirm={say('publish')}
      onConfirm={act}
      isPending={publish.isPending}
    >
      <div className={ownStyles['question']}>
        <p>{say('publishText', { model: modelId })}</p>
        {error !== null && <CallFault error={error} />}
        {error === null && checked.data === undefined && <Skeleton lines={3} />}
        {checked.data !== undefined && <WhatChanges checked={checked.data} />}
      </div>
    </ConfirmDialog>
  );
};

const WhatChanges = ({
  checked: { definitions, breaks },
}: {
  readonly checked: AnswerFor<'applyModelDefinitions'>;
}) => {
  const say = useMessages(dataMessages);
  const changes = definitions.flatMap((each) => each.changes);
  const breaking = changes.filter((change) => change.breaks);
  return (
    <>
      <p>{say('changeCount', { count: changes.length })}</p>
      {breaking.length > 0 && (
        <Notice tone="warning">
          {say('breakingCount', { count: breaking.length })}
          <ul className={ownStyles['paths']}>
            {breaking.map(({ path }) => (
              <li key={path}>
                <code>
                  <bdi>{path}</bdi>
                </code>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {breaks.length > 0 && (
        <Notice tone="danger">
          {say('brokenModels', { count: breaks.length })}
          <ul className={ownStyles['paths']}>
            {breaks.map(({ id, message }) => (
              <li key={id}>
                <bdi>{id}</bdi>: <ForeignText text={message} lang="en" />
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
};
