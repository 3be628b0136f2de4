/** The form of a tool: what is entered, what is wrong with it, and the call. */
import { lazy, Suspense, useEffect, useRef, useState, type FormEvent } from 'react';
import { refusalOf } from '../../api/failures.js';
import type { AnswerFor } from '../../api/operations.js';
import { useMessages } from '../../language/language-provider.js';
import { toolsMessages } from '../../messages/tools/catalogue.js';
import { Button } from '../../ui/button.js';
import { FaultView } from '../../ui/fault-view.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CallFault } from '../faults/call-fault.js';
import { argumentsForAddress } from './address-state.js';
import { ArgumentField } from './form/argument-field.js';
import { startDraft, type Draft } from './form/draft.js';
import { MemberFields } from './form/object-field.js';
import { placeFaults, type ArgumentFault, type Judgement, type PlacedFaults } from './form/place-faults.js';
import { readDraft } from './form/read-draft.js';
import { readForm } from './form/read-schema.js';
import { isSameJson, type JsonObject } from '../../api/json-values.js';
import { useToolCall } from './tool-call.js';
import styles from './tools.module.css';

/** Tables are large, and needed when there is an answer. */
const ToolResult = lazy(() => import('./tool-result.js').then(({ ToolResult: result }) => ({ default: result })));

export type Tool = AnswerFor<'listTools'>['tools'][number];

export type ToolFormProps = {
  readonly assetId: string;
  readonly isDraft: boolean;
  readonly tool: Tool;
  /** What is filled in at first. */
  readonly given: JsonObject | undefined;
  /** What the address should hold from now on. */
  readonly onArguments: (given: JsonObject | undefined) => void;
  readonly onOpenLog: () => void;
};

export const ToolForm = ({ assetId, isDraft, tool, given, onArguments, onOpenLog }: ToolFormProps) => {
  const say = useMessages(toolsMessages);
  const [draft, setDraft] = useState(() => startDraft(readForm(tool.inputSchema), given));
  const [judgement, setJudgement] = useState<Judgement>();
  const form = useFocusOnFaults(judgement);
  const toolCall = useToolCall({ assetId, isDraft, toolId: tool.name });
  useArgumentsInAddress(draft, given, onArguments);
  const placed = placeFaults(judgement, draft);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { value, faults } = readDraft(draft);
    const judge = (found: readonly ArgumentFault[]): void => setJudgement({ draft, faults: found });
    judge(faults.map(({ path, rule }) => ({ path, message: say(rule === 'json' ? 'notJson' : 'required') })));
    if (faults.length === 0) toolCall.mutate(value, { onError: (error) => judge(argumentFaultsOf(error)) });
  };
  return (
    <>
      <form ref={form} className={styles['form']} onSubmit={submit} noValidate>
        <h3>{say('arguments')}</h3>
        <ArgumentFields draft={draft} faults={placed.atFields} onChange={setDraft} />
        <div>
          <Button type="submit" variant="primary" isPending={toolCall.isPending}>
            {say('call')}
          </Button>
        </div>
      </form>
      <p className={styles['hidden']} role="status">
        {toolCall.isSuccess && say('arrived')}
      </p>
      {toolCall.isPending && <Skeleton shape="box" />}
      {toolCall.isError && <ToolFault error={toolCall.error} placed={placed} />}
      {toolCall.isSuccess && (
        <Suspense fallback={<Skeleton shape="box" />}>
          <ToolResult answer={toolCall.data} onOpenLog={onOpenLog} />
        </Suspense>
      )}
    </>
  );
};

type ArgumentFieldsProps = {
  readonly draft: Draft;
  readonly faults: ReadonlyMap<string, string>;
  readonly onChange: (draft: Draft) => void;
};

const ArgumentFields = ({ draft, faults, onChange }: ArgumentFieldsProps) => {
  const say = useMessages(toolsMessages);
  const common = { label: say('arguments'), path: [], faults, onChange };
  if (draft.kind !== 'object') return <ArgumentField {...common} draft={draft} />;
  if (draft.members.length === 0) return <p>{say('noArguments')}</p>;
  return <MemberFields {...common} draft={draft} />;
};

/** What the server says of single arguments; of any other failure nothing. */
const argumentFaultsOf = (error: unknown): readonly ArgumentFault[] => {
  const refusal = refusalOf(error);
  if (refusal?.status !== 422) return [];
  return refusal.faults.map(({ path, message, suggestion }) => ({
    path,
    message: suggestion === undefined || message.includes('did you mean') ? message : `${message} ${suggestion}`,
  }));
};

const ToolFault = ({ error, placed }: { readonly error: unknown; readonly placed: PlacedFaults }) => {
  const say = useMessages(toolsMessages);
  const refusal = refusalOf(error);
  if (refusal?.status !== 422) return <CallFault error={error} />;
  const faults = placed.elsewhere.map(({ path, message }) => ({ place: path, message }));
  return (
    <FaultView
      title={say('wrongArguments', { count: refusal.faults.length })}
      detail=""
      faults={faults}
      requestId={refusal.requestId}
    />
  );
};

const faultyPlaces = ':is(input, textarea)[aria-invalid="true"], [data-invalid] > button, [role="alert"]';

/** The first field that something is wrong with; who does not see the page is led there too. */
const useFocusOnFaults = (judgement: Judgement | undefined) => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (judgement === undefined || judgement.faults.length === 0) return;
    form.current?.querySelector<HTMLElement>(faultyPlaces)?.focus();
  }, [judgement]);
  return form;
};

/** Browsers refuse addresses that change with every letter. */
const settleMs = 400;

const useArgumentsInAddress = (
  draft: Draft,
  given: JsonObject | undefined,
  onArguments: ToolFormProps['onArguments'],
): void => {
  useEffect(() => {
    const next = argumentsForAddress(readDraft(draft, { withoutSecrets: true }).value);
    if (isSameJson(next, given)) return undefined;
    const timer = setTimeout(() => onArguments(next), settleMs);
    return () => clearTimeout(timer);
  }, [draft, given, onArguments]);
};
