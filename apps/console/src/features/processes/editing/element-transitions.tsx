/** What can be done with a version: edit it, take it to its next state, begin a new one, delete it. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { refusalOf } from '../../../api/failures.js';
import { operationQuery, useChange } from '../../../api/queries.js';
import { useMessages } from '../../../language/language-provider.js';
import { processesEditingMessages } from '../../../messages/processes-editing/catalogue.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { showToast } from '../../../ui/toast-queue.js';
import { CallFault } from '../../faults/call-fault.js';
import { useMay } from '../../session/me.js';
import { DeleteElement } from '../bin/delete-element.js';
import { readOnlyElement } from '../content-element.js';
import { versionsQuery } from '../content-queries.js';
import { wholeTreeView, type FacetPlace } from '../place.js';
import { useStateName } from '../states.js';
import { draftOf, readVersions } from '../versions.js';
import { contentReads } from './content-reads.js';
import styles from './editing.module.css';
import { isAskedFirst, wordsOfTransition, type Transition } from './transition-words.js';

export type ElementTransitionsProps = {
  readonly place: FacetPlace;
  /** The version (`versionId`), or the element where its type has no versions. */
  readonly elementId: string;
  /** In which names are shown where there is one, e.g. `1031`. */
  readonly culture: string;
  /** Opens the ElementEditor of this version. While that is open it is left out: nothing else is offered then. */
  readonly onEdit: (() => void) | undefined;
  /** Another version is the one to look at now: that which was made. */
  readonly onVersion: (versionId: string) => void;
  /** The version, or all of the element, is in the bin now. */
  readonly onDeleted: () => void;
};

/** Shows nothing to who may not write. */
export const ElementTransitions = (props: ElementTransitionsProps) => {
  const may = useMay();
  const { onEdit } = props;
  return onEdit !== undefined && may('content:write') && <Actions key={props.elementId} {...props} onEdit={onEdit} />;
};

type ActionsProps = ElementTransitionsProps & { readonly onEdit: () => void };

const Actions = (props: ActionsProps) => {
  const { place, elementId, onEdit, onVersion, onDeleted } = props;
  const { collectionId, storageId, facetId } = place;
  const say = useMessages(processesEditingMessages);
  const at = { collectionId, storageId, facetId, elementId };
  const permissions = useQuery(operationQuery('describeElement', { ...at, viewId: wholeTreeView, apiVersion: '1.0' }));
  const state = useQuery(operationQuery('describeElement', { ...at, viewId: wholeTreeView, apiVersion: '4.0' }));
  const transitions = useQuery(
    operationQuery('listTransitions', { collectionId, storageId, elementId, apiVersion: '4.0' }),
  );
  const failed = [permissions, state, transitions].find(({ isError }) => isError);
  if (failed) return <CallFault error={failed.error} onRetry={() => void failed.refetch()} />;
  const allowed = permissions.data?.values?.[0];
  const described = state.data?.elements?.[0];
  if (!allowed || !described || !transitions.data) return <Skeleton />;
  const hasVersions = described.versionId !== undefined;
  return (
    <section className={styles['group']} aria-label={say('actions')}>
      <div className={styles['actions']}>
        {!allowed.isReadOnly && <Button onPress={onEdit}>{say('edit')}</Button>}
        {hasVersions && described.state === 'released' && <NextVersion {...props} onVersion={onVersion} />}
        {(transitions.data.elements ?? []).map((transition) => (
          <PerformTransition key={transition.id} {...props} transition={transition} />
        ))}
        {allowed.isCurrentRemovable && (
          <DeleteElement {...{ place, elementId, onDeleted }} name={allowed.name} version={described.version} />
        )}
      </div>
    </section>
  );
};

/** The draft where there is one; else the way to begin one. */
const NextVersion = (props: ElementTransitionsProps) => {
  const { place, elementId, onVersion } = props;
  const say = useMessages(processesEditingMessages);
  const versions = useQuery({ ...versionsQuery({ ...place, elementId }, undefined), select: readVersions });
  if (versions.isPending) return null;
  const draft = draftOf(versions.data ?? []);
  if (draft === undefined) return <NewVersion {...props} />;
  return <Button onPress={() => onVersion(draft.id)}>{say('openDraft', { number: draft.number })}</Button>;
};

const NewVersion = ({ place: { collectionId, storageId }, elementId, onVersion }: ElementTransitionsProps) => {
  const say = useMessages(processesEditingMessages);
  const create = useChange('createVersion', { invalidates: contentReads });
  const begin = (): void =>
    create.mutate(
      { collectionId, storageId, elementId, idempotencyKey: crypto.randomUUID() },
      {
        onSuccess: (answer) => {
          const versionId = readOnlyElement(answer)?.versionId;
          showToast('success', say('versionCreated'));
          if (versionId !== undefined) onVersion(versionId);
        },
      },
    );
  return (
    <>
      <Button onPress={begin} isPending={create.isPending}>
        {say('newVersion')}
      </Button>
      {create.isError && <CallFault error={create.error} />}
    </>
  );
};

type PerformProps = ActionsProps & { readonly transition: Transition };

const PerformTransition = ({ place: { collectionId, storageId }, elementId, onEdit, transition }: PerformProps) => {
  const say = useMessages(processesEditingMessages);
  const nameOfState = useStateName();
  const [isAsked, setAsked] = useState(false);
  const perform = useChange('performTransition', { invalidates: contentReads });
  const words = wordsOfTransition(transition, say, nameOfState);
  const start = (ignoreWarnings: boolean): void => {
    setAsked(false);
    perform.mutate(
      {
        collectionId,
        storageId,
        elementId,
        transitionId: transition.id,
        ignoreWarnings,
        idempotencyKey: crypto.randomUUID(),
      },
      { onSuccess: () => showToast('success', say('stateNow', { state: nameOfState(transition.to) })) },
    );
  };
  return (
    <>
      <Button
        variant={transition.to === 'released' ? 'primary' : 'plain'}
        onPress={() => (isAskedFirst(transition) ? setAsked(true) : start(false))}
        isPending={perform.isPending}
      >
        {words}
      </Button>
      <ConfirmDialog
        title={say('transitionTitle', { transition: words })}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        confirm={words}
        onConfirm={() => start(false)}
      >
        {say(transition.to === 'released' ? 'releaseText' : 'expireText')}
      </ConfirmDialog>
      {perform.isError && (
        <CallFault
          error={perform.error}
          actions={<WaysOn error={perform.error} {...{ words, onEdit }} onIgnore={() => start(true)} />}
        />
      )}
    </>
  );
};

type WaysOnProps = {
  readonly error: unknown;
  readonly words: string;
  readonly onEdit: () => void;
  readonly onIgnore: () => void;
};

/** What lacks can be added; what is only a warning can be overridden. */
const WaysOn = ({ error, words, onEdit, onIgnore }: WaysOnProps) => {
  const say = useMessages(processesEditingMessages);
  const { code, status } = refusalOf(error) ?? {};
  if (status !== 409) return null;
  return (
    <>
      <Button onPress={onEdit}>{say('edit')}</Button>
      {code === 'CONTENT_WARNING' && <Button onPress={onIgnore}>{say('anyway', { transition: words })}</Button>}
    </>
  );
};
