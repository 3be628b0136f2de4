import type { Say } from '../../language/catalogue.js';
import type { Formats } from '../../language/formats.js';
import type { figuresMessages } from '../../messages/figures/catalogue.js';

const pointDigits = 2;

/** How a figure has changed, with its sign: of shares in points, of others in percent. */
export const changeWords = (
  change: number,
  isShare: boolean,
  say: Say<typeof figuresMessages.en>,
  { number }: Pick<Formats, 'number'>,
): string => {
  const signed = { signDisplay: 'exceptZero' } as const;
  return isShare
    ? say('points', { value: number(change * 100, { ...signed, maximumFractionDigits: pointDigits }) })
    : number(change, { ...signed, style: 'percent', maximumFractionDigits: 1 });
};
