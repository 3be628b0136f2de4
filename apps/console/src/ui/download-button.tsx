import type { ReactNode } from 'react';
import { Button } from './button.js';

export type TextFile = {
  readonly text: string;
  readonly fileName: string;
  /** `application/json`, `text/csv`. */
  readonly mediaType: string;
};

/** Saves a text as a file of the person: for what is asked for first; what is there has a DownloadButton. */
export const saveText = ({ text, fileName, mediaType }: TextFile): void => {
  const address = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
};

/** Saves a text as a file of the person. */
export const DownloadButton = ({ children, ...file }: TextFile & { readonly children: ReactNode }) => (
  <Button icon="arrow-down" onPress={() => saveText(file)}>
    {children}
  </Button>
);
