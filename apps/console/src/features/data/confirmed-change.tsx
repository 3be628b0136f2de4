/** A button for what cannot be taken back: it asks first, and shows why it could not be done. */
import { useState, type ReactNode } from 'react';
import type { InputFor, OperationName } from '../../api/operations.js';
import { useChange } from '../../api/queries.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { CallFault } from '../faults/call-fault.js';

export type ConfirmedChangeProps<Name extends OperationName> = {
  readonly operation: Name;
  readonly input: InputFor<Name>;
  readonly invalidates: readonly OperationName[];
  /** The act, which both buttons say. */
  readonly act: string;
  readonly title: string;
  /** The consequence, in a sentence. */
  readonly children: ReactNode;
  readonly variant?: 'plain' | 'quiet';
  readonly onDone?: () => void;
};

export const ConfirmedChange = <Name extends OperationName>({
  operation,
  input,
  invalidates,
  act,
  title,
  children,
  variant = 'plain',
  onDone,
}: ConfirmedChangeProps<Name>) => {
  const [isAsked, setAsked] = useState(false);
  const change = useChange(operation, { invalidates });
  const close = (): void => {
    setAsked(false);
    change.reset();
  };
  const run = (): void =>
    change.mutate(input, {
      onSuccess: () => {
        setAsked(false);
        onDone?.();
      },
    });
  return (
    <>
      <Button variant={variant} onPress={() => setAsked(true)}>
        {act}
      </Button>
      <ConfirmDialog
        title={title}
        isOpen={isAsked}
        onClose={close}
        confirm={act}
        onConfirm={run}
        isPending={change.isPending}
        isDangerous
      >
        {children}
        {change.isError && <CallFault error={change.error} />}
      </ConfirmDialog>
    </>
  );
};
