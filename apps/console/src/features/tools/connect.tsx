/** How a client of the Model Context Protocol is connected: by its address alone, or with a file. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../api/queries.js';
import { useMessages } from '../../language/language-provider.js';
import { toolsMessages } from '../../messages/tools/catalogue.js';
import { Card } from '../../ui/card.js';
import { CodeBlock } from '../../ui/code-block.js';
import { CopyButton } from '../../ui/copy-button.js';
import { DownloadButton } from '../../ui/download-button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { Select } from '../../ui/select.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Tabs } from '../../ui/tabs.js';
import { TextLink } from '../../ui/text-link.js';
import type { AssetState, ChangeState } from './address-state.js';
import { clientFile, clientKinds, clientWays, keyVariable, type ClientKind, type ClientWay } from './client-files.js';
import styles from './tools.module.css';

export type ConnectProps = {
  readonly assetId: string;
  /** Of the MCP server; undefined while it is loaded, and of a tool set that is not published. */
  readonly address: string | undefined;
  readonly isLoading: boolean;
  readonly state: Pick<AssetState, 'client' | 'way'>;
  readonly onChange: ChangeState<AssetState>;
};

export const Connect = ({ assetId, address, isLoading, state, onChange }: ConnectProps) => {
  const say = useMessages(toolsMessages);
  if (isLoading) return <Skeleton shape="box" />;
  if (address === undefined) return <EmptyState title={say('notPublished')}>{say('notPublishedText')}</EmptyState>;
  return (
    <div className={styles['parts']}>
      <Card title={say('address')}>
        <p>{say('addressText')}</p>
        <p className={styles['address']}>
          <code>{address}</code> <CopyButton text={address} what={say('address')} isLabelled />
        </p>
        <p>
          <TextLink to="/sessions">{say('actingClients')}</TextLink>
        </p>
      </Card>
      <ClientFiles {...{ assetId, address, state, onChange }} />
      <Instructions assetId={assetId} />
    </div>
  );
};

type ClientFilesProps = Pick<ConnectProps, 'assetId' | 'state' | 'onChange'> & { readonly address: string };

const ClientFiles = ({ assetId, address, state, onChange }: ClientFilesProps) => {
  const say = useMessages(toolsMessages);
  const way = state.way ?? 'signIn';
  return (
    <Card title={say('client')}>
      <Select
        label={say('howToProve')}
        options={clientWays.map((id) => ({ id, label: say(id) }))}
        selected={way}
        onSelect={(chosen) => onChange({ way: chosen })}
        description={say(way === 'key' ? 'keyText' : 'signInText')}
      />
      <Tabs
        label={say('client')}
        selected={state.client ?? 'editor'}
        onSelect={(client) => onChange({ client })}
        tabs={clientKinds.map((kind) => ({
          ...{ id: kind, label: say(kind) },
          content: <ClientSteps {...{ kind, way, assetId, address }} />,
        }))}
      />
    </Card>
  );
};

type ClientStepsProps = Pick<ClientFilesProps, 'assetId' | 'address'> & {
  readonly kind: ClientKind;
  readonly way: ClientWay;
};

const ClientSteps = ({ kind, way, assetId, address }: ClientStepsProps) => {
  const say = useMessages(toolsMessages);
  const { fileName, text } = clientFile(kind, way, { name: assetId, address });
  const steps: Readonly<Record<ClientKind, string>> = {
    editor: say('editorSteps'),
    terminal: way === 'key' ? say('terminalSteps', { variable: keyVariable }) : say('terminalStepsSignIn'),
    desktop: say('desktopSteps'),
    inspector: say('inspectorSteps'),
  };
  return (
    <div className={styles['parts']}>
      <p>{steps[kind]}</p>
      <CodeBlock text={text} what={say('file')} />
      <div>
        <DownloadButton text={text} fileName={fileName} mediaType="application/json">
          {say('download', { name: fileName })}
        </DownloadButton>
      </div>
    </div>
  );
};

const Instructions = ({ assetId }: { readonly assetId: string }) => {
  const say = useMessages(toolsMessages);
  const { data } = useQuery(operationQuery('listTools', { asset_id: assetId }));
  if (data?.instructions === undefined) return null;
  return (
    <Card title={say('instructions')}>
      <ForeignText text={data.instructions} isBlock />
    </Card>
  );
};
