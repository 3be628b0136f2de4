import type { ReactNode } from 'react';
import { Button } from './button.js';

export type DownloadButtonProps = {
  readonly text: string;
  readonly fileName: string;
  /** `application/json`, `text/csv`. */
  readonly mediaType: string;
  readonly children: ReactNode;
};

/** Saves a text as a file of the person. */
export const DownloadButton = ({ text, fileName, mediaType, children }: DownloadButtonProps) => {
  const save = (): void => {
    const address = URL.createObjectURL(new Blob([text], { type: mediaType }));
    const link = document.createElement('a');
    link.href = address;
    link.download = fileName;
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <Button icon="arrow-down" onPress={save}>
      {children}
    </Button>
  );
};
