import { useEffect, useState } from 'react';
import { readStart, type FileStart } from '../csv/csv-preview.js';

type ReadFile = { readonly file: File; readonly start?: FileStart; readonly error?: unknown };

/** The beginning of a file; undefined until it is read. */
export const useFileStart = (file: File): ReadFile | undefined => {
  const [read, setRead] = useState<ReadFile>();
  useEffect(() => {
    let isWanted = true;
    readStart(file).then(
      (start) => isWanted && setRead({ file, start }),
      (error: unknown) => isWanted && setRead({ file, error }),
    );
    return () => {
      isWanted = false;
    };
  }, [file]);
  // What was read of the file before is not shown for this one.
  return read?.file === file ? read : undefined;
};
