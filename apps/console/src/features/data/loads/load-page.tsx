/** Where a file is chosen and then loaded. */
import type { LoadMode } from '@tessera/contracts/knowledge-models';
import { useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { FileDrop } from '../../../ui/file-drop.js';
import { PageHead } from '../../../ui/page-head.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { TextLink } from '../../../ui/text-link.js';
import { CallFault } from '../../faults/call-fault.js';
import { useChosenFile } from '../data-area.js';
import { fileKinds } from '../data-page.js';
import styles from '../data.module.css';
import type { ListedTable } from '../tables/find-tables.js';
import { useTables } from '../tables/use-tables.js';
import { FileLoad } from './file-load.js';
import { useFileStart } from './use-file-start.js';

export type LoadPageProps = {
  /** `schema.table`; undefined for a new one. */
  readonly table: string | undefined;
  readonly mode: LoadMode | undefined;
  readonly onTable: (table: string | undefined) => void;
  readonly onMode: (mode: LoadMode) => void;
};

export const LoadPage = (props: LoadPageProps) => {
  const say = useMessages(dataMessages);
  const { file, choose } = useChosenFile();
  const { tables, error, refetch } = useTables();
  const area = (
    <TextLink key="area" to="/data">
      {say('title')}
    </TextLink>
  );
  return (
    <>
      <PageHead title={say('loadTitle')} trail={[area]}>
        {say('loadLead')}
      </PageHead>
      <div className={styles['parts']}>
        {file === undefined && (
          <FileDrop label={say('dropHere')} choose={say('chooseFile')} accept={fileKinds} onFile={choose} />
        )}
        {error !== undefined && <CallFault error={error} onRetry={() => void refetch()} />}
        {file !== undefined && tables === undefined && error === undefined && <Skeleton lines={6} />}
        {file !== undefined && tables !== undefined && <ChosenFile {...props} file={file} tables={tables} />}
      </div>
    </>
  );
};

type ChosenFileProps = LoadPageProps & { readonly file: File; readonly tables: readonly ListedTable[] };

const ChosenFile = ({ file, ...rest }: ChosenFileProps) => {
  const read = useFileStart(file);
  if (read === undefined) return <Skeleton lines={6} />;
  if (read.start === undefined) return <CallFault error={read.error} />;
  return <FileLoad file={file} start={read.start} {...rest} />;
};
