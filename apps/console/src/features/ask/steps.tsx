/** The steps that led to an answer: which tool was called with what, and what it answered. */
import { useMemo } from 'react';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { askMessages } from '../../messages/ask/catalogue.js';
import { AreaLink } from '../../ui/area-link.js';
import { Badge } from '../../ui/badge.js';
import { Disclosure } from '../../ui/disclosure.js';
import { ForeignText, shorten } from '../../ui/foreign-text.js';
import { RowsTable } from './rows-table.js';
import type { ShownStep, ToolStep } from './shown-turn.js';
import styles from './steps.module.css';
import { prettyText, readResultRows, readToolError } from './tool-result.js';

export type StepsProps = {
  readonly steps: readonly ShownStep[];
  readonly open: readonly string[];
  /** Whether the person may read the evidence of a result. */
  readonly showsEvidence: boolean;
  readonly onToggle: (id: string, isOpen: boolean) => void;
};

export const Steps = ({ steps, open, showsEvidence, onToggle }: StepsProps) => {
  const say = useMessages(askMessages);
  if (steps.length === 0) return null;
  return (
    <ol className={styles['steps']} aria-label={say('steps', { count: steps.length })}>
      {steps.map((step) => (
        <li key={step.id} className={styles['step']}>
          {step.kind === 'said' ? (
            <ForeignText text={step.text} isBlock />
          ) : (
            <Disclosure
              title={<StepTitle step={step} />}
              isOpen={open.includes(step.id)}
              onToggle={(isOpen) => onToggle(step.id, isOpen)}
            >
              <StepContent step={step} showsEvidence={showsEvidence} />
            </Disclosure>
          )}
        </li>
      ))}
    </ol>
  );
};

const toolNameMax = 80;

const StepTitle = ({ step: { tool, outcome } }: { readonly step: ToolStep }) => {
  const say = useMessages(askMessages);
  const { number } = useFormats();
  return (
    <>
      <code>
        <bdi>{shorten(tool, toolNameMax)}</bdi>
      </code>
      {outcome === undefined && <Badge tone="accent">{say('stepRunning')}</Badge>}
      {outcome?.isError === true && <Badge tone="danger">{say('stepFailed')}</Badge>}
      {outcome !== undefined && (
        <span className={styles['duration']}>
          {say('seconds', { seconds: number(outcome.durationMs / 1_000, { maximumFractionDigits: 2 }) })}
        </span>
      )}
    </>
  );
};

type StepContentProps = Pick<StepsProps, 'showsEvidence'> & { readonly step: ToolStep };

const StepContent = ({ step, showsEvidence }: StepContentProps) => {
  const say = useMessages(askMessages);
  return (
    <>
      <p className={styles['label']}>{say('arguments')}</p>
      <Data text={isEmpty(step.arguments) ? undefined : JSON.stringify(step.arguments, undefined, 2)}>
        {say('noArguments')}
      </Data>
      <p className={styles['label']}>{say('result')}</p>
      {step.result === undefined ? <p>{say('resultLater')}</p> : <Result step={step} result={step.result} />}
      {showsEvidence && step.evidence !== undefined && (
        <p>
          <AreaLink {...step.evidence}>{say('evidenceOf', { name: shorten(step.tool, toolNameMax) })}</AreaLink>
        </p>
      )}
    </>
  );
};

const isEmpty = (given: unknown): boolean =>
  given === undefined || given === null || (typeof given === 'object' && Object.keys(given).length === 0);

const Data = ({ text, children }: { readonly text: string | undefined; readonly children?: string }) =>
  text === undefined ? (
    <p>{children}</p>
  ) : (
    <pre className={styles['data']} dir="ltr">
      <ForeignText text={text} />
    </pre>
  );

type ResultProps = { readonly step: ToolStep; readonly result: string };

const Result = ({ step, result }: ResultProps) => {
  const tables = useMemo(() => readResultRows(result), [result]);
  if (step.outcome?.isError === true) return <ForeignText text={readToolError(result)} isBlock />;
  if (tables.length === 0) return <Data text={prettyText(result)} />;
  return tables.map((rows, at) => (
    <div key={at} className={styles['table']}>
      {rows.title !== '' && <code>{rows.title}</code>}
      <RowsTable rows={rows} label={rows.title === '' ? step.tool : rows.title} />
    </div>
  ));
};
