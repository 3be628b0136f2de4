import { useMessages } from '../../language/language-provider.js';
import { toolsMessages } from '../../messages/tools/catalogue.js';
import { Badge, Notice } from '../../ui/badge.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { ToolForm, type Tool, type ToolFormProps } from './tool-form.js';
import styles from './tools.module.css';

export type ToolPanelProps = Omit<ToolFormProps, 'tool'> & {
  readonly tools: readonly Tool[];
  /** Of the tool that is chosen. */
  readonly name: string | undefined;
};

/** The tool that is chosen: what it does, its form, and what it answers. */
export const ToolPanel = ({ tools, name, ...rest }: ToolPanelProps) => {
  const say = useMessages(toolsMessages);
  if (name === undefined) return <EmptyState title={say('chooseTool')}>{say('chooseToolText')}</EmptyState>;
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) return <EmptyState title={say('unknownTool', { name })}>{say('unknownToolText')}</EmptyState>;
  return (
    <section className={styles['panel']} aria-label={tool.title}>
      <ToolHead tool={tool} />
      {rest.isDraft && <Notice>{say('draftNotice')}</Notice>}
      {!tool.isReadOnly && <Notice tone="warning">{say('changesNotice')}</Notice>}
      {/* Another tool is another form. */}
      <ToolForm key={`${rest.isDraft} ${tool.name}`} tool={tool} {...rest} />
    </section>
  );
};

const ToolHead = ({ tool }: { readonly tool: Tool }) => {
  const say = useMessages(toolsMessages);
  const { title, name, description, isReadOnly } = tool;
  return (
    <header className={styles['head']}>
      <h2>
        <ForeignText text={title} />
      </h2>
      <div className={styles['line']}>
        <code className={styles['note']}>{name}</code>
        <Badge tone={isReadOnly ? 'success' : 'warning'}>{say(isReadOnly ? 'onlyReads' : 'changes')}</Badge>
      </div>
      <div>
        <ForeignText text={description} isBlock />
      </div>
    </header>
  );
};
