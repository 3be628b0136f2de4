/** The question for other places: as the address of this page, for programs, and as a file. */
import type { ReactNode } from 'react';
import { buildRequest } from '../../api/build-request.js';
import { useMessages } from '../../language/language-provider.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Dialog } from '../../ui/dialog.js';
import styles from './figures.module.css';
import { odataAddressOf } from './odata-address.js';
import { csvInput, pageInput } from './question-input.js';
import type { Question } from './question.js';
import type { Schema } from './schema.js';
import { toolCallOf, type ShareText } from './tool-call.js';

export type ShareDialogProps = {
  readonly modelId: string;
  readonly schema: Schema;
  readonly question: Question;
  readonly onClose: () => void;
};

/** A placeholder: who pastes it has a key of their own. */
const curlOf = (address: string): string => `curl -H "AppKey: $API_KEY" '${address}'`;

export const ShareDialog = ({ modelId, schema, question, onClose }: ShareDialogProps) => {
  const say = useMessages(figuresMessages);
  const { origin, href } = window.location;
  const { path } = buildRequest('readModelData', pageInput(modelId, question, schema));
  const odata = odataAddressOf(modelId, question, schema);
  return (
    <Dialog title={say('share')} isOpen onClose={onClose} size="large">
      <div className={styles['form']}>
        <Shared name={say('pageAddress')} shared={{ ok: true, text: href }}>
          {say('pageAddressText')}
        </Shared>
        <Shared name={say('curl')} shared={{ ok: true, text: curlOf(`${origin}${path}`) }}>
          {say('curlText', { variable: 'API_KEY' })}
        </Shared>
        <Shared name={say('odata')} shared={odata.ok ? { ok: true, text: `${origin}${odata.text}` } : odata}>
          {say('odataText')}
        </Shared>
        <Shared name={say('toolCall')} shared={toolCallOf(question, schema)}>
          {say('toolCallText')}
        </Shared>
        <section className={styles['part']}>
          <h3 className={styles['partTitle']}>{say('csv')}</h3>
          <p>
            <a href={buildRequest('readModelQuery', csvInput(modelId, question, schema)).path} download>
              {say('csvDownload')}
            </a>
          </p>
          <p className={styles['note']}>{say('csvText')}</p>
        </section>
      </div>
    </Dialog>
  );
};

type SharedProps = { readonly name: string; readonly shared: ShareText; readonly children: ReactNode };

const Shared = ({ name, shared, children }: SharedProps) => {
  const say = useMessages(figuresMessages);
  return (
    <section className={styles['part']} aria-label={name}>
      <div className={styles['line']}>
        <h3 className={styles['partTitle']}>{name}</h3>
        {shared.ok && <CopyButton text={shared.text} what={name} />}
      </div>
      {shared.ok ? (
        <pre className={styles['shared']}>
          <code>{shared.text}</code>
        </pre>
      ) : (
        <p>{say(`cannotShare_${shared.why}`)}</p>
      )}
      <p className={styles['note']}>{children}</p>
    </section>
  );
};
