import { useEffect, useState } from 'react';
import { useMessages } from '../language/language-provider.js';
import { uiMessages } from '../messages/ui/catalogue.js';
import { Button, IconButton } from './button.js';
import { showToast } from './toast-queue.js';

export type CopyButtonProps = {
  readonly text: string;
  /** What is copied: "Request id". Alone it is read aloud; `isLabelled` shows it. */
  readonly what: string;
  readonly isLabelled?: boolean;
};

const thanksMs = 2_000;

/** Puts a text on the clipboard. */
export const CopyButton = ({ text, what, isLabelled = false }: CopyButtonProps) => {
  const say = useMessages(uiMessages);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), thanksMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = (): void => {
    // Browsers have a clipboard for pages of https and of this machine alone.
    const copied =
      navigator.clipboard === undefined ? Promise.reject(new Error()) : navigator.clipboard.writeText(text);
    copied.then(
      () => setCopied(true),
      () => showToast('danger', say('notCopied')),
    );
  };
  const label = isCopied ? say('copied') : say('copy', { what });
  const icon = isCopied ? 'check' : 'copy';
  return isLabelled ? (
    <Button icon={icon} onPress={copy}>
      {label}
    </Button>
  ) : (
    <IconButton label={label} icon={icon} onPress={copy} />
  );
};
