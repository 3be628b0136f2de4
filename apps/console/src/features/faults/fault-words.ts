/** What is said of an error: the words of the server where it has some, else the console's own. */
import type { CallFailure, CallFault } from '../../api/failures.js';
import { CallError } from '../../api/failures.js';
import type { Say } from '../../language/catalogue.js';
import type { faultsMessages } from '../../messages/faults/catalogue.js';
import type { FaultViewProps } from '../../ui/fault-view.js';

type Words = Omit<FaultViewProps, 'onRetry' | 'actions'>;

/** The server speaks English. */
const serverLanguage = 'en';

const placeOf = ({ in: place, path }: CallFault): string => [place, path].filter((part) => part !== '').join(' ');

export const faultWords = (error: unknown, say: Say<typeof faultsMessages.en>): Words => {
  if (error instanceof CallError) return wordsOfFailure(error.failure, say);
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { title: say('bug'), detail: `${say('bugDetail')}\n${detail}` };
};

const wordsOfFailure = (failure: CallFailure, say: Say<typeof faultsMessages.en>): Words => {
  switch (failure.kind) {
    case 'unreachable':
      return { title: say('unreachable'), detail: say('unreachableDetail') };
    case 'unreadable': {
      const { status, requestId } = failure;
      return { title: say('unreadable'), detail: say('unreadableDetail', { status }), requestId };
    }
    case 'refused': {
      const { title, detail, next, faults, requestId } = failure;
      return {
        ...{ title: title === '' ? say('refused') : title, detail, next, requestId, lang: serverLanguage },
        faults: faults.map((fault) => ({ place: placeOf(fault), message: wordsOfFault(fault) })),
      };
    }
  }
};

const wordsOfFault = ({ message, suggestion }: CallFault): string =>
  suggestion === undefined || message.includes(suggestion) ? message : `${message} (${suggestion})`;
