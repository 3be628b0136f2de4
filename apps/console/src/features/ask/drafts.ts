/** What was typed and not sent yet, by conversation: it is there again when one comes back. Only in memory, as long as the page is open. */
import { useSyncExternalStore } from 'react';

type Listener = () => void;

export class Drafts {
  readonly #texts = new Map<string, string>();
  readonly #listeners = new Set<Listener>();

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly get = (key: string): string => this.#texts.get(key) ?? '';

  readonly set = (key: string, text: string): void => {
    if (text === '') this.#texts.delete(key);
    else this.#texts.set(key, text);
    for (const listener of this.#listeners) listener();
  };

  /** A new conversation has got its id: what was typed meanwhile goes along. */
  readonly move = (from: string, to: string): void => {
    const text = this.get(from);
    this.set(from, '');
    if (text !== '') this.set(to, text);
  };
}

/** Of a new conversation with an agent, or of one that there is. */
export const draftKey = (agentId: string, conversationId: string | undefined): string =>
  JSON.stringify([agentId, conversationId ?? '']);

export const drafts = new Drafts();

export const useDraft = (key: string): readonly [text: string, change: (text: string) => void] => [
  useSyncExternalStore(drafts.subscribe, () => drafts.get(key)),
  (text) => drafts.set(key, text),
];
