/** Text that people or other systems wrote: in its own direction, never as markup, and as long as it wants without harm. */
import { useState } from 'react';
import { useMessages } from '../language/language-provider.js';
import { uiMessages } from '../messages/ui/catalogue.js';
import { Button } from './button.js';
import styles from './foreign-text.module.css';

export type ForeignTextProps = {
  readonly text: string;
  /** Of what language it is, when that is known. */
  readonly lang?: string;
  /** Line breaks stay. */
  readonly isBlock?: boolean;
};

/** Longer ones are shown from their beginning, and whole when that is asked for. */
const lengthShownMax = 600;

/** At most so many characters, never half of one. */
export const shorten = (text: string, lengthMax = lengthShownMax): string =>
  text.length <= lengthMax ? text : `${text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '')}…`;

export const ForeignText = ({ text, lang, isBlock = false }: ForeignTextProps) => {
  const say = useMessages(uiMessages);
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > lengthShownMax;
  return (
    <>
      <bdi className={isBlock ? styles['block'] : styles['text']} lang={lang}>
        {isWhole ? text : shorten(text)}
      </bdi>
      {isLong && (
        <Button variant="quiet" onPress={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {say(isWhole ? 'showLess' : 'showAll')}
        </Button>
      )}
    </>
  );
};
