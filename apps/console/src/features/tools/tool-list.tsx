import { useMessages } from '../../language/language-provider.js';
import { toolsMessages } from '../../messages/tools/catalogue.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Checkbox } from '../../ui/field.js';
import { shorten } from '../../ui/foreign-text.js';
import { TextLink } from '../../ui/text-link.js';
import type { Tool } from './tool-form.js';
import styles from './tools.module.css';

export type ToolListProps = {
  readonly assetId: string;
  readonly tools: readonly Tool[];
  readonly isDraft: boolean;
  readonly onDraft: (isDraft: boolean) => void;
};

const titleLengthMax = 120;

/** The tools that may be chosen, each with an address of its own. */
export const ToolList = ({ assetId, tools, isDraft, onDraft }: ToolListProps) => {
  const say = useMessages(toolsMessages);
  return (
    <div className={styles['side']}>
      {tools.length === 0 && <EmptyState title={say('noTools')}>{say('noToolsText')}</EmptyState>}
      <nav aria-label={say('tools')}>
        <ul className={styles['tools']}>
          {tools.map(({ name, title }) => (
            <li key={name} className={styles['toolLink']}>
              <TextLink
                to="/tools/$assetId"
                params={{ assetId }}
                search={isDraft ? { tool: name, draft: true } : { tool: name }}
                resetScroll={false}
              >
                <bdi title={title}>{shorten(title, titleLengthMax)}</bdi>
              </TextLink>
              <code className={styles['note']}>{name}</code>
            </li>
          ))}
        </ul>
      </nav>
      <Checkbox isSelected={isDraft} onChange={onDraft}>
        {say('showDraft')}
      </Checkbox>
    </div>
  );
};
