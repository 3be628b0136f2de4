/** Says why something failed that has no place of its own on the page: a button in a menu or in a list. */
import { useMessages } from '../../language/language-provider.js';
import { faultsMessages } from '../../messages/faults/catalogue.js';
import { uiMessages } from '../../messages/ui/catalogue.js';
import { showToast } from '../../ui/toast-queue.js';
import { faultWords } from './fault-words.js';

/** `{ onError: showFault }` */
export const useFaultToast = (): ((error: unknown) => void) => {
  const say = useMessages(faultsMessages);
  const sayOfUi = useMessages(uiMessages);
  return (error) => {
    const { title, detail, requestId } = faultWords(error, say);
    const request = requestId === undefined ? '' : `${sayOfUi('requestId')} ${requestId}`;
    showToast('danger', [title, detail, request].filter((part) => part !== '').join(' · '));
  };
};
