/** What is around the pages of the area: who may see them, and the file that was dropped or chosen, on its way to the page that loads it. */
import { createContext, use, useMemo, useState, type ReactNode } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { dataMessages } from '../../messages/data/catalogue.js';
import { EmptyState } from '../../ui/empty-state.js';
import { PageHead } from '../../ui/page-head.js';
import { TextLink } from '../../ui/text-link.js';
import { useMay } from '../session/me.js';

type ChosenFile = {
  readonly file: File | undefined;
  readonly choose: (file: File | undefined) => void;
};

const ChosenFileContext = createContext<ChosenFile>({ file: undefined, choose: () => undefined });

export const DataArea = ({ children }: { readonly children: ReactNode }) => {
  const may = useMay();
  const [file, choose] = useState<File>();
  const chosen = useMemo(() => ({ file, choose }), [file]);
  return may('admin') ? <ChosenFileContext value={chosen}>{children}</ChosenFileContext> : <Closed />;
};

export const useChosenFile = (): ChosenFile => use(ChosenFileContext);

const Closed = () => {
  const say = useMessages(dataMessages);
  return (
    <>
      <PageHead title={say('title')} />
      <EmptyState title={say('closed')} action={<TextLink to="/">{say('home')}</TextLink>}>
        {say('closedText')}
      </EmptyState>
    </>
  );
};
