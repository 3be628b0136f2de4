/** How a load goes on, and how it ended. */
import { useEffect, useRef } from 'react';
import { refusalOf } from '../../../api/failures.js';
import { useFormats, useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { Notice } from '../../../ui/badge.js';
import { Button } from '../../../ui/button.js';
import { Card } from '../../../ui/card.js';
import { Meter } from '../../../ui/meter.js';
import { TextLink } from '../../../ui/text-link.js';
import { CallFault } from '../../faults/call-fault.js';
import styles from '../data.module.css';
import type { TableName } from '../tables/find-tables.js';
import type { Corrections } from './correct-lines.js';
import { LoadFaults } from './load-faults.js';
import { sizeOf } from './load-state.js';
import ownStyles from './loads.module.css';
import { Orphans } from './orphans.js';
import type { LoadOutcome, LoadProgress } from './run-load.js';
import type { LoadView } from './use-load.js';

export type LoadViewProps = {
  readonly view: LoadView;
  readonly table: TableName;
  readonly fileBytes: number;
  readonly onCancel: () => void;
  readonly onMend: (mended: Corrections) => void;
  readonly onRetry: () => void;
  /** Loads the file once more, whatever rows are left. */
  readonly onShrink: () => void;
};

/** It takes the focus with each step: the button that began it is out of reach meanwhile, or far away on the page. */
export const LoadStateView = (props: LoadViewProps) => {
  const say = useMessages(dataMessages);
  const place = useRef<HTMLElement>(null);
  const { kind } = props.view;
  useEffect(() => place.current?.focus(), [kind]);
  if (kind === 'idle') return null;
  return (
    <section ref={place} tabIndex={-1} aria-label={say('loadRuns')} className={ownStyles['view']}>
      <Step {...props} />
    </section>
  );
};

const Step = ({ view, ...rest }: LoadViewProps) => {
  const say = useMessages(dataMessages);
  switch (view.kind) {
    case 'idle':
      return null;
    case 'running':
      return <Progress progress={view.progress} fileBytes={rest.fileBytes} onCancel={rest.onCancel} />;
    case 'cancelled':
      return <Notice tone="warning">{say('cancelled')}</Notice>;
    case 'failed':
      return <Failed error={view.error} {...rest} />;
    case 'ended':
      return <Outcome outcome={view.outcome} {...rest} />;
  }
};

type ProgressProps = Pick<LoadViewProps, 'fileBytes' | 'onCancel'> & { readonly progress: LoadProgress };

const Progress = ({ progress: { phase, bytes, rows }, fileBytes, onCancel }: ProgressProps) => {
  const say = useMessages(dataMessages);
  const { number } = useFormats();
  const text =
    phase === 'committing'
      ? say('committingRows', { count: rows })
      : say('sendingRows', { count: rows, sent: number(...sizeOf(bytes)), all: number(...sizeOf(fileBytes)) });
  return (
    <Card
      title={say('loadRuns')}
      actions={phase === 'sending' && <Button onPress={onCancel}>{say('cancelLoad')}</Button>}
    >
      <div role="status">
        <Meter label={say('loadRuns')} text={text} share={fileBytes === 0 ? 1 : Math.min(1, bytes / fileBytes)} />
      </div>
      <p className={styles['note']}>{say('rowsStay')}</p>
    </Card>
  );
};

/** What the browser says when a file was changed or is gone. */
const isFileGone = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'NotReadableError' || error.name === 'NotFoundError');

type FailedProps = Pick<LoadViewProps, 'onRetry' | 'onShrink'> & { readonly error: unknown };

const Failed = ({ error, onRetry, onShrink }: FailedProps) => {
  const say = useMessages(dataMessages);
  if (isFileGone(error)) return <Notice tone="danger">{say('fileChanged')}</Notice>;
  const hasTooFewRows = refusalOf(error)?.code === 'LOAD_TOO_FEW_ROWS';
  return (
    <div className={styles['stack']}>
      <CallFault error={error} {...(!hasTooFewRows && { onRetry })} />
      <p className={styles['note']}>{say('rowsKept')}</p>
      {hasTooFewRows && (
        <div className={styles['line']}>
          <Button variant="danger" onPress={onShrink}>
            {say('shrink')}
          </Button>
        </div>
      )}
    </div>
  );
};

const Outcome = ({ outcome, table, onMend }: OutcomeProps) => {
  const say = useMessages(dataMessages);
  switch (outcome.kind) {
    case 'faults':
      return <LoadFaults {...outcome} onMend={onMend} />;
    case 'file':
      return (
        <Notice tone="danger">
          {say(outcome.fault.fault, {
            line: outcome.fault.line,
            byte: 'byte' in outcome.fault ? `0x${outcome.fault.byte.toString(16)}` : '',
          })}{' '}
          {say('rowsKept')}
        </Notice>
      );
    case 'committed':
      return (
        <Card title={say('committed')}>
          <Notice tone="success">{say('rowsLoaded', { count: outcome.sentRows })}</Notice>
          <p>{say('tableHolds', { count: outcome.status.rows, version: outcome.status.dataVersion ?? 0 })}</p>
          <Orphans orphans={outcome.status.orphans ?? []} />
          <div className={styles['line']}>
            <TextLink to="/data/tables/$schema/$table" params={{ schema: table.schema, table: table.id }}>
              {say('openTable')}
            </TextLink>
          </div>
        </Card>
      );
  }
};

type OutcomeProps = Pick<LoadViewProps, 'table' | 'onMend'> & { readonly outcome: LoadOutcome };
