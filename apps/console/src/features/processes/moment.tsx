/** The moment of which content is shown: how it is chosen, and that it is not now. */
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { operationQuery } from '../../api/queries.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { processesMessages } from '../../messages/processes/catalogue.js';
import { Notice } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { TextField } from '../../ui/field.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CallFault } from '../faults/call-fault.js';
import { useMay, useMe } from '../session/me.js';
import { readLocalText, toLocalText } from './moments.js';
import styles from './moment.module.css';
import { useViewpoint } from './viewpoint.js';

type MomentProps = {
  /** A moment, or undefined for now. */
  readonly onMoment: (at: string | undefined) => void;
  /** Whose changes are offered to who may see them. */
  readonly elementId?: string;
};

/** Opens the choice of a moment. */
export const MomentButton = (props: MomentProps) => {
  const say = useMessages(processesMessages);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>{say('history')}</Button>
      {isOpen && <MomentDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
};

const MomentDialog = ({ onMoment, elementId, onClose }: MomentProps & { readonly onClose: () => void }) => {
  const say = useMessages(processesMessages);
  const may = useMay();
  const { asOf } = useViewpoint();
  const [text, setText] = useState(() => toLocalText(asOf === undefined ? new Date() : new Date(asOf)));
  const [fault, setFault] = useState<'missing' | 'future'>();
  const choose = (at: string): void => {
    onMoment(at);
    onClose();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = readLocalText(text, new Date());
    if ('fault' in read) setFault(read.fault);
    else choose(read.at);
  };
  return (
    <Dialog title={say('historyTitle')} isOpen onClose={onClose}>
      <form className={styles['form']} onSubmit={submit} noValidate>
        <p>{say('historyDetail')}</p>
        <TextField
          label={say('moment')}
          type="datetime-local"
          value={text}
          onChange={setText}
          error={fault && say(fault === 'future' ? 'momentFuture' : 'momentMissing')}
        />
        <div>
          <Button type="submit" variant="primary">
            {say('showMoment')}
          </Button>
        </div>
      </form>
      {may('admin') && <Changes elementId={elementId} onChoose={choose} />}
    </Dialog>
  );
};

type ChangesProps = { readonly elementId: string | undefined; readonly onChoose: (at: string) => void };

/** The latest changes; only administrators may read them. */
const Changes = ({ elementId, onChoose }: ChangesProps) => {
  const say = useMessages(processesMessages);
  const { dateTime } = useFormats();
  const { team } = useMe();
  const { collectionId, storageId } = useViewpoint().place;
  const changes = useQuery(
    operationQuery('listChanges', { team, collection: collectionId, storage: storageId, elementId, pageSize: 20 }),
  );
  if (changes.isPending) return <Skeleton lines={4} />;
  if (changes.isError) return <CallFault error={changes.error} onRetry={() => void changes.refetch()} />;
  return (
    <section className={styles['changes']} aria-label={say('changes')}>
      <h3>{say('changes')}</h3>
      {changes.data.changes.length === 0 && <p>{say('noChanges')}</p>}
      <ul>
        {changes.data.changes.map(({ sequence, changedAt, operation, subject }) => (
          <li key={sequence} className={styles['change']}>
            <Button variant="quiet" onPress={() => onChoose(changedAt)}>
              {dateTime(changedAt)}
            </Button>
            <span>
              <bdi>{subject}</bdi> · <bdi>{operation}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};

/** Says that what is shown is not what holds now, and leads back. */
export const MomentNotice = ({ onMoment }: Pick<MomentProps, 'onMoment'>) => {
  const say = useMessages(processesMessages);
  const { dateTime } = useFormats();
  const { asOf } = useViewpoint();
  if (asOf === undefined) return null;
  return (
    <Notice tone="accent">
      <div className={styles['notice']}>
        <span>{say('asOf', { moment: dateTime(asOf) })}</span>
        <Button onPress={() => onMoment(undefined)}>{say('toNow')}</Button>
      </div>
    </Notice>
  );
};
