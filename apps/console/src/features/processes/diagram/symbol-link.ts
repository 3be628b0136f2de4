/** How symbols lead to what they stand for. */
import type { MouseEvent } from 'react';
import type { SymbolTarget } from './diagram-model.js';

export type LinkProps = {
  /** Address in this console, with its beginning. */
  readonly hrefOf: (target: SymbolTarget) => string;
  readonly onOpen: (target: SymbolTarget) => void;
};

type Press = Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'preventDefault'>;

/** In another tab or window it is the browser that opens it. */
export const openHere = (press: Press, open: () => void): void => {
  if (press.button !== 0 || press.metaKey || press.ctrlKey || press.shiftKey || press.altKey) return;
  press.preventDefault();
  open();
};
