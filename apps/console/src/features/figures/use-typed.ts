import { useState } from 'react';

/**
 * A text that is typed before it is asked by: what is asked by elsewhere takes its place, and while it stays the same, what is typed
 * stays too.
 */
export const useTyped = (asked: string): readonly [text: string, setText: (text: string) => void] => {
  const [typed, setTyped] = useState({ beside: asked, text: asked });
  return [typed.beside === asked ? typed.text : asked, (text) => setTyped({ beside: asked, text })];
};
