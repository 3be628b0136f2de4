import { useEffect, useRef, useState } from 'react';

const restMs = 250;

/**
 * The text of a search field, which is in the address as well: typed letters are there at once, the address has them when the person
 * rests, and an address that was changed otherwise (by the way back) changes the field.
 */
export const useTypedText = (
  inAddress: string,
  onRest: (text: string) => void,
): readonly [text: string, change: (text: string) => void] => {
  const [text, setText] = useState(inAddress);
  const known = useRef(inAddress);
  useEffect(() => {
    if (text === known.current) return undefined;
    const timer = setTimeout(() => {
      known.current = text;
      onRest(text);
    }, restMs);
    return () => clearTimeout(timer);
  }, [text, onRest]);
  useEffect(() => {
    if (inAddress === known.current) return;
    known.current = inAddress;
    setText(inAddress);
  }, [inAddress]);
  return [text, setText];
};
