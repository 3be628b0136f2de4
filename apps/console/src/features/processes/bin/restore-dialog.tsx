import { useChange } from '../../../api/queries.js';
import { useFormats, useMessages } from '../../../language/language-provider.js';
import { processesEditingMessages } from '../../../messages/processes-editing/catalogue.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { Facts } from '../../../ui/facts.js';
import { ForeignText } from '../../../ui/foreign-text.js';
import { showToast } from '../../../ui/toast-queue.js';
import { CallFault } from '../../faults/call-fault.js';
import { contentReads } from '../editing/content-reads.js';
import { spelledOut } from '../names.js';
import styles from './bin.module.css';
import { idInBin, personOf, type DeletedEntry, type StorageOfTeam } from './deleted-entry.js';

export type RestoreDialogProps = {
  readonly place: StorageOfTeam;
  /** What is looked at; none: the dialog is closed. */
  readonly entry: DeletedEntry | undefined;
  readonly onClose: () => void;
};

export const RestoreDialog = ({ place, entry, onClose }: RestoreDialogProps) => {
  const say = useMessages(processesEditingMessages);
  const restore = useChange('restoreFromBin', { invalidates: contentReads });
  const close = (): void => {
    restore.reset();
    onClose();
  };
  const start = (): void => {
    if (entry === undefined) return;
    restore.mutate(
      { ...place, id: idInBin(entry), idempotencyKey: crypto.randomUUID() },
      {
        onSuccess: () => {
          showToast('success', say('restored'));
          close();
        },
      },
    );
  };
  return (
    <Dialog
      title={say('restoreTitle')}
      isOpen={entry !== undefined}
      onClose={close}
      actions={
        <Button variant="primary" onPress={start} isPending={restore.isPending}>
          {say('restore')}
        </Button>
      }
    >
      {entry !== undefined && <Entry entry={entry} />}
      {restore.isError && <CallFault error={restore.error} />}
    </Dialog>
  );
};

const Entry = ({ entry }: { readonly entry: DeletedEntry }) => {
  const say = useMessages(processesEditingMessages);
  const { dateTime } = useFormats();
  const { name, version, type, facet, deletedAt, deletedBy } = entry;
  return (
    <div className={styles['bin']}>
      <p>{say(version === undefined ? 'restoreText' : 'restoreVersionText')}</p>
      <Facts
        facts={[
          { name: say('name'), value: <ForeignText text={name ?? say('nameless')} /> },
          ...(version === undefined ? [] : [{ name: say('version'), value: version }]),
          { name: say('type'), value: <ForeignText text={spelledOut(type)} /> },
          { name: say('facet'), value: <ForeignText text={spelledOut(facet)} /> },
          { name: say('deletedAt'), value: dateTime(deletedAt) },
          { name: say('deletedBy'), value: <ForeignText text={personOf(deletedBy)} /> },
        ]}
      />
    </div>
  );
};
