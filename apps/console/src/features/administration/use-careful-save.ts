/** Saves a form about something that is written whole, unless somebody else has saved it since the form was opened. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refusalOf } from '../../api/failures.js';
import type { OperationName } from '../../api/operations.js';
import { useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { showToast } from '../../ui/toast-queue.js';
import { isSameValue, rebaseDraft } from './rebase-draft.js';

type CarefulSave<Form> = {
  /** What is there when the form is opened. */
  readonly initial: Form;
  /** What is there now. */
  readonly read: () => Promise<{ readonly form: Form; readonly etag: string | undefined }>;
  /** Answers what is there afterwards; refused with 412 when there is another ETag by then. */
  readonly write: (draft: Form, ifMatch: string | undefined) => Promise<Form>;
  readonly invalidates: readonly OperationName[];
};

type Saved<Form> = { readonly isWritten: boolean; readonly now: Form };

export const useCarefulSave = <Form extends Readonly<Record<string, unknown>>>(save: CarefulSave<Form>) => {
  const { initial, read, write, invalidates } = save;
  const say = useMessages(administrationMessages);
  const client = useQueryClient();
  const [began, setBegan] = useState(initial);
  const [draft, setDraft] = useState(initial);
  const saving = useMutation({
    mutationFn: async (wanted: Form): Promise<Saved<Form>> => {
      const { form: now, etag } = await read();
      if (!isSameValue(now, began)) return { isWritten: false, now };
      try {
        return { isWritten: true, now: await write(wanted, etag) };
      } catch (error) {
        if (refusalOf(error)?.status !== 412) throw error;
        return { isWritten: false, now: (await read()).form };
      }
    },
    onSuccess: async ({ isWritten, now }, wanted) => {
      setDraft(isWritten ? now : rebaseDraft(wanted, began, now));
      setBegan(now);
      if (isWritten) showToast('success', say('saved'));
      await Promise.all(invalidates.map((stale) => client.invalidateQueries({ queryKey: [stale] })));
    },
  });
  return {
    ...{ draft, setDraft, error: saving.error, isPending: saving.isPending },
    save: (): void => saving.mutate(draft),
    /** Somebody else has saved something else: it is in the form now, beside what was typed. */
    isRebased: saving.data?.isWritten === false,
  };
};
