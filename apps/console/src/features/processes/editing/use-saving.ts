/** Saves a form under the condition that nobody else did meanwhile, and reads what they made of it when somebody did. */
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { refusalOf } from '../../../api/failures.js';
import type { InputFor } from '../../../api/operations.js';
import { useChange } from '../../../api/queries.js';
import { wholeTreeView, type FacetPlace } from '../place.js';
import { contentReads } from './content-reads.js';
import { readAgain, type editedQuery, type EditedElement } from './edited-element.js';
import { valuesOf, type EditorField, type FieldValues } from './editor-fields.js';
import { writtenMembers } from './written-element.js';

export type SavingProps = {
  readonly place: FacetPlace;
  readonly culture: string;
  readonly query: ReturnType<typeof editedQuery>;
  readonly fields: readonly EditorField[];
  /** What was read when the form was opened. */
  readonly initial: EditedElement;
  readonly onSaved: () => void;
};

/** What a form began with: changes are told from it, and it must still be there when they are written. */
type Beginning = EditedElement & { readonly values: FieldValues };

export const useSaving = ({ place, culture, query, fields, initial, onSaved }: SavingProps) => {
  const client = useQueryClient();
  const write = useChange('writeElements', { invalidates: contentReads });
  const [beginning, setBeginning] = useState<Beginning>(() => beginAt(initial, fields, culture));
  const [theirs, setTheirs] = useState<Beginning>();
  const [rereadError, setRereadError] = useState<unknown>();
  const key = useIdempotencyKey();

  const readTheirs = async (): Promise<void> => {
    setRereadError(undefined);
    try {
      const now = await readAgain(client, query);
      if (now) setTheirs(beginAt(now, fields, culture));
    } catch (error) {
      setRereadError(error);
    }
  };
  const saveOn = (from: Beginning, values: FieldValues): void => {
    const members = writtenMembers(fields, from.values, values);
    if (Object.keys(members).length === 0) return onSaved();
    const input = inputOf(place, from, members);
    write.mutate(
      { ...input, idempotencyKey: key.of(JSON.stringify(input)) },
      {
        onSuccess: onSaved,
        onError: (error) => {
          const status = refusalOf(error)?.status ?? 0;
          if (status >= 400 && status < 500) key.forget();
          if (status === 412) void readTheirs();
        },
      },
    );
  };
  return {
    beginning,
    /** What somebody else has saved meanwhile. */
    theirs,
    isPending: write.isPending,
    error: rereadError ?? (refusalOf(write.error)?.status === 412 ? undefined : (write.error ?? undefined)),
    /** For a failed look at what they made of it. */
    lookAgain: rereadError === undefined ? undefined : () => void readTheirs(),
    save: (values: FieldValues): void => saveOn(beginning, values),
    /** On what they saved; the form goes on from there. */
    saveMerged: (values: FieldValues): void => {
      if (theirs === undefined) return;
      setBeginning(theirs);
      setTheirs(undefined);
      saveOn(theirs, values);
    },
    backToForm: (): void => setTheirs(undefined),
  };
};

const beginAt = (edited: EditedElement, fields: readonly EditorField[], culture: string): Beginning => ({
  ...edited,
  values: valuesOf(fields, edited.element, culture),
});

const inputOf = (
  { collectionId, storageId, facetId }: FacetPlace,
  { element: { id, versionId }, etag }: EditedElement,
  members: ReturnType<typeof writtenMembers>,
): InputFor<'writeElements'> => ({
  ...{ collectionId, storageId, facetId, viewId: wholeTreeView },
  ...(etag !== undefined && { ifMatch: etag }),
  batch: { elements: [{ ...(versionId === undefined ? { id } : { id, versionId }), ...members }] },
});

/** The same for as long as no answer came to the same request: it is asked for again, and nothing is written twice. */
const useIdempotencyKey = () => {
  const last = useRef({ text: '', key: '' });
  return {
    of: (text: string): string => {
      if (last.current.text !== text) last.current = { text, key: crypto.randomUUID() };
      return last.current.key;
    },
    forget: (): void => {
      last.current = { text: '', key: '' };
    },
  };
};
