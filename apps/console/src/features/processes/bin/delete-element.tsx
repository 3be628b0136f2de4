import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../../api/queries.js';
import { useMessages } from '../../../language/language-provider.js';
import { processesEditingMessages } from '../../../messages/processes-editing/catalogue.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { shorten } from '../../../ui/foreign-text.js';
import { showToast } from '../../../ui/toast-queue.js';
import { CallFault } from '../../faults/call-fault.js';
import { contentReads } from '../editing/content-reads.js';
import { wholeTreeView, type FacetPlace } from '../place.js';

export type DeleteElementProps = {
  readonly place: FacetPlace;
  readonly elementId: string;
  readonly name: string;
  /** Its number, when it has one. */
  readonly version: string | undefined;
  readonly onDeleted: () => void;
};

const nameLengthMax = 120;

/** Asks first; what was deleted is in the bin. */
export const DeleteElement = ({ place, elementId, name, version, onDeleted }: DeleteElementProps) => {
  const { collectionId, storageId, facetId } = place;
  const say = useMessages(processesEditingMessages);
  const [isAsked, setAsked] = useState(false);
  const client = useQueryClient();
  const remove = useChange('deleteElement');
  const start = (): void =>
    remove.mutate(
      { collectionId, storageId, facetId, elementId, viewId: wholeTreeView, idempotencyKey: crypto.randomUUID() },
      {
        onSuccess: () => {
          showToast('success', say('deleted'));
          setAsked(false);
          // What the page shows is gone: it is not asked for again while the page is being left.
          for (const name of contentReads) void client.invalidateQueries({ queryKey: [name], refetchType: 'none' });
          onDeleted();
        },
      },
    );
  const what = { name: shorten(name, nameLengthMax), version: version ?? '' };
  return (
    <>
      <Button onPress={() => setAsked(true)}>{say('delete')}</Button>
      <ConfirmDialog
        title={say('deleteTitle')}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        confirm={say('delete')}
        onConfirm={start}
        isDangerous
        isPending={remove.isPending}
      >
        <p>{version === undefined ? say('deleteText', what) : say('deleteVersionText', what)}</p>
        {remove.isError && <CallFault error={remove.error} />}
      </ConfirmDialog>
    </>
  );
};
