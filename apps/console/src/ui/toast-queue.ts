/** Short messages about what has just been done. */
export type Toast = { readonly id: number; readonly tone: 'success' | 'danger'; readonly text: string };

type Schedule = (act: () => void, afterMs: number) => void;

const shownMs = 6_000;
const toastsMax = 4;

export class ToastQueue {
  #toasts: readonly Toast[] = [];
  #last = 0;
  readonly #listeners = new Set<() => void>();

  constructor(private readonly schedule: Schedule) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly shown = (): readonly Toast[] => this.#toasts;

  /** What went well leaves by itself, what did not stays until it is closed. */
  readonly add = (tone: Toast['tone'], text: string): void => {
    const id = ++this.#last;
    this.#set([...this.#toasts, { id, tone, text }].slice(-toastsMax));
    if (tone === 'success') this.schedule(() => this.close(id), shownMs);
  };

  readonly close = (id: number): void => this.#set(this.#toasts.filter((toast) => toast.id !== id));

  #set(toasts: readonly Toast[]): void {
    this.#toasts = toasts;
    for (const listener of this.#listeners) listener();
  }
}

const toasts = new ToastQueue((act, afterMs) => void setTimeout(act, afterMs));

/** `showToast('success', say('saved'))`; failures of what a page shows belong into a FaultView in that place. */
export const showToast = toasts.add;
export const shownToasts = toasts;
