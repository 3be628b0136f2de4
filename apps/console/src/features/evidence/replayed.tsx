/** The same question once more, with the rights of the reader: the same answer or another one, why, and both figures. */
import type { AnswerFor } from '../../api/operations.js';
import type { Formats } from '../../language/formats.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { evidenceMessages } from '../../messages/evidence/catalogue.js';
import { Notice } from '../../ui/badge.js';
import { Card } from '../../ui/card.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { PlainTable } from '../../ui/plain-table.js';
import styles from './evidence.module.css';
import { writeExactly, type ModelKpis } from './model-kpis.js';
import { policyWords, type EvidenceSay } from './scope-words.js';

export type Replay = AnswerFor<'replayEvidence'>;
type Reason = Replay['reasons'][number];

/** Enough to see that two are not the same. */
const digestShown = 12;

export type ReplayedProps = { readonly replayed: Replay; readonly kpis: ModelKpis };

export const Replayed = ({ replayed, kpis }: ReplayedProps) => {
  const say = useMessages(evidenceMessages);
  const { outcome, reasons, failure } = replayed;
  const isSame = outcome === 'same';
  const changed = failure === undefined ? 'changed' : 'cannotBeAsked';
  return (
    <Card title={say('replayed')}>
      <Notice tone={isSame ? 'success' : 'warning'}>
        {say(isSame ? 'same' : outcome === undefined ? 'notCompared' : changed)}
      </Notice>
      {failure !== undefined && (
        <p>
          <ForeignText text={failure.detail} lang="en" />
        </p>
      )}
      <Comparison replayed={replayed} kpis={kpis} />
      {reasons.length > 0 ? (
        <>
          <h3>{say('reasons')}</h3>
          <ul className={styles['points']}>
            {reasons.map((reason, at) => (
              <li key={at}>
                <ReasonWords reason={reason} />
              </li>
            ))}
          </ul>
        </>
      ) : (
        outcome === 'changed' && <p>{say('noReasons')}</p>
      )}
    </Card>
  );
};

const ReasonWords = ({ reason }: { readonly reason: Reason }) => {
  const say = useMessages(evidenceMessages);
  switch (reason.kind) {
    case 'data':
      return dataWords(reason, say);
    case 'model': {
      const { before, now, changes } = reason;
      return (
        <>
          {say('reason_model', { before, now })}
          <ul className={styles['points']}>
            {changes.map(({ path, change }) => (
              <li key={`${change} ${path}`}>
                <code>
                  <bdi>{path}</bdi>
                </code>{' '}
                {say(`change_${change}`)}
              </li>
            ))}
          </ul>
        </>
      );
    }
    case 'rights': {
      const listed = (policies: readonly string[]): string =>
        policies.length === 0 ? say('none') : policies.map((policy) => policyWords(policy, say)).join(', ');
      return (
        <>
          {say('reason_rights')}
          <ul className={styles['points']}>
            <li>
              {say('policiesThen')}: {listed(reason.before)}
            </li>
            <li>
              {say('policiesNow')}: {listed(reason.now)}
            </li>
          </ul>
        </>
      );
    }
  }
};

const dataWords = ({ table, before, now }: Extract<Reason, { readonly kind: 'data' }>, say: EvidenceSay): string =>
  before === undefined && now === undefined
    ? say('reason_unknown', { table })
    : say('reason_data', { table, before: before ?? say('noVersion'), now: now ?? say('noVersion') });

/** Both answers side by side, as far as the reader is told of them. */
const Comparison = ({ replayed, kpis }: ReplayedProps) => {
  const say = useMessages(evidenceMessages);
  const formats = useFormats();
  if (replayed.now === undefined) return null;
  return (
    <PlainTable
      label={say('compared')}
      heads={[say('figure'), say('then'), say('now')]}
      isEnd={[false, true, true]}
      rows={comparedRows(replayed, kpis, say, formats)}
    />
  );
};

/** The figures, how many rows, and the digest, which is another one when only values in the rows are. */
export const comparedRows = (
  { before, now }: Pick<Replay, 'before' | 'now'>,
  kpis: ModelKpis,
  say: EvidenceSay,
  formats: Formats,
): readonly (readonly string[])[] => {
  const ids = new Set([before, now].flatMap((answer) => (answer?.figures ?? []).map(({ id }) => id)));
  const figureIn = (answer: typeof now, id: string): string => {
    const figure = answer?.figures?.find((each) => each.id === id);
    if (figure === undefined) return say('untold');
    return figure.value === null ? say('noValue') : writeExactly(id, figure.value, kpis, formats);
  };
  const inBoth = (write: (answer: NonNullable<typeof now>) => string): readonly string[] =>
    [before, now].map((answer) => (answer === undefined ? say('untold') : write(answer)));
  return [
    ...[...ids].map((id) => [kpis.get(id)?.name ?? id, figureIn(before, id), figureIn(now, id)]),
    [say('rowsOfAnswer'), ...inBoth(({ rows }) => formats.number(rows))],
    [say('digest'), ...inBoth(({ rowsDigest }) => `${rowsDigest.slice(0, digestShown)}…`)],
  ];
};
