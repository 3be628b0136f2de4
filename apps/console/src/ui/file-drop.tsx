import { DropZone, FileTrigger, Text, type DropZoneProps } from 'react-aria-components';
import { Button } from './button.js';
import styles from './file-drop.module.css';

export type FileDropProps = {
  /** What to drop here. */
  readonly label: string;
  /** Of the button, for who does not drag. */
  readonly choose: string;
  /** Kinds of files that the browser offers, e.g. `.csv`; dropped ones are not looked at. */
  readonly accept: readonly string[];
  readonly onFile: (file: File) => void;
};

type DropEvent = Parameters<NonNullable<DropZoneProps['onDrop']>>[0];

/** A place to drop a file, and a button to choose one. */
export const FileDrop = ({ label, choose, accept, onFile }: FileDropProps) => {
  const take = async ({ items }: DropEvent): Promise<void> => {
    const file = items.find((item) => item.kind === 'file');
    if (file !== undefined) onFile(await file.getFile());
  };
  const select = (files: FileList | null): void => {
    const [file] = files ?? [];
    if (file !== undefined) onFile(file);
  };
  return (
    <DropZone className={styles['zone'] ?? ''} getDropOperation={() => 'copy'} onDrop={(event) => void take(event)}>
      <Text slot="label" className={styles['label'] ?? ''}>
        {label}
      </Text>
      <FileTrigger acceptedFileTypes={accept} onSelect={select}>
        <Button>{choose}</Button>
      </FileTrigger>
    </DropZone>
  );
};
