/**
 * Who uses keys is never left without a place: when what has the focus goes away, or can no longer be pressed, the part of the page around it
 * gets the focus. Dialogs that give it back, and pages that know a better place, come first.
 */

const settleMs = 100;

const landmarks = ['section', 'aside', 'nav'].map((name) => `${name}:is([aria-label], [aria-labelledby])`);
const parts = [...landmarks, '[role="tabpanel"]', '[role="dialog"]', '[role="alertdialog"]', 'main'].join(', ');

/** From the inside out. */
const partsAround = (place: Element): readonly HTMLElement[] => {
  const part = place.parentElement?.closest<HTMLElement>(parts);
  return part ? [part, ...partsAround(part)] : [];
};

/** For all of the page, as long as it is open. */
export const keepFocus = (): void => {
  let focused: Element | undefined;
  /** Around it, then around what had the focus before, as behind a dialog. */
  let around: readonly HTMLElement[] = [];
  let timer: number | undefined;

  const isGone = (): boolean => focused !== undefined && (!focused.isConnected || focused.matches(':disabled'));

  const goOn = (): void => {
    timer = undefined;
    if (!isGone() || document.activeElement !== document.body) return;
    const part = around.find(({ isConnected }) => isConnected) ?? document.querySelector('main');
    if (part === null) return;
    part.tabIndex = -1;
    part.focus({ preventScroll: true });
  };

  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    const before = around.filter(({ isConnected }) => isConnected);
    focused = target;
    around = [...new Set([...partsAround(target), ...before])];
  });
  new MutationObserver(() => {
    if (isGone()) timer ??= window.setTimeout(goOn, settleMs);
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] });
};
