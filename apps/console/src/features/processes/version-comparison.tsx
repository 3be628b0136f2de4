/** Two versions side by side: only what is different, with what has gone and what has come marked in it. */
import { useMemo } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { processesMessages } from '../../messages/processes/catalogue.js';
import { EmptyState } from '../../ui/empty-state.js';
import { AttributeValue } from './attribute-list.js';
import { showValue, type TypeDescription } from './attributes.js';
import { compareVersions, type Difference } from './compare-versions.js';
import type { ContentElement } from './content-element.js';
import { cultureTag } from './cultures.js';
import { diffWords, type WordPart } from './diff-words.js';
import styles from './element.module.css';
import { ElementLink, ElementName, GapMark, useCultureName, useLabelOf } from './element-name.js';
import { useViewpoint } from './viewpoint.js';

type ComparedVersion = { readonly number: string; readonly element: ContentElement };
export type VersionComparisonProps = {
  readonly type: TypeDescription | undefined;
  readonly before: ComparedVersion;
  readonly after: ComparedVersion;
};

export const VersionComparison = ({ type, before, after }: VersionComparisonProps) => {
  const say = useMessages(processesMessages);
  const { culture } = useViewpoint();
  const labelOf = useLabelOf();
  const { changed, sameCount } = useMemo(
    () => compareVersions(before.element, after.element, { type, culture, labelOf, contentLabel: say('content') }),
    [before.element, after.element, type, culture, labelOf, say],
  );
  if (changed.length === 0)
    return <EmptyState title={say('noDifference')}>{say('same', { count: sameCount })}</EmptyState>;
  return (
    <>
      <section aria-label={say('differences')}>
        <table className={styles['differences']}>
          <thead>
            <tr>
              <th scope="col">{say('changedPart')}</th>
              <th scope="col">{say('versionNumber', { number: before.number })}</th>
              <th scope="col">{say('versionNumber', { number: after.number })}</th>
            </tr>
          </thead>
          <tbody>
            {changed.map((difference) => (
              <DifferenceRow key={keyOf(difference)} difference={difference} />
            ))}
          </tbody>
        </table>
      </section>
      <p className={styles['none']}>{say('same', { count: sameCount })}</p>
    </>
  );
};

const keyOf = (difference: Difference): string =>
  `${difference.kind} ${difference.name} ${difference.kind === 'attribute' ? difference.culture : ''}`;

const DifferenceRow = ({ difference }: { readonly difference: Difference }) => {
  const cultureNameOf = useCultureName();
  const [before, after] = difference.kind === 'attribute' ? attributeCells(difference) : listCells(difference);
  return (
    <tr>
      <th scope="row">
        <bdi>{difference.label}</bdi>
        {difference.kind === 'attribute' && difference.culture !== undefined && (
          <small>{cultureNameOf(difference.culture)}</small>
        )}
      </th>
      <td>{before}</td>
      <td>{after}</td>
    </tr>
  );
};

const attributeCells = ({ before, after, culture }: Extract<Difference, { kind: 'attribute' }>) => {
  const [one, other] = [showValue(before), showValue(after)];
  const words = one.kind === 'text' && other.kind === 'text' ? diffWords(one.text, other.text) : undefined;
  return [
    <Cell key="before" value={before} culture={culture} parts={words?.before} mark="del" />,
    <Cell key="after" value={after} culture={culture} parts={words?.after} mark="ins" />,
  ];
};

type CellProps = {
  readonly value: unknown;
  readonly culture: string | undefined;
  /** Of texts: which words are not in the other version. */
  readonly parts: readonly WordPart[] | undefined;
  readonly mark: 'del' | 'ins';
};

const Cell = ({ value, culture, parts, mark: Mark }: CellProps) => {
  if (culture !== undefined && showValue(value).kind === 'gap') return <GapMark culture={culture} />;
  if (parts === undefined) return <AttributeValue value={value} culture={culture} />;
  return (
    <bdi className={styles['text']} lang={culture && cultureTag(culture)}>
      {parts.map(({ text, isChanged }, at) =>
        isChanged ? (
          <Mark key={at} className={styles[Mark === 'del' ? 'gone' : 'come']}>
            {text}
          </Mark>
        ) : (
          text
        ),
      )}
    </bdi>
  );
};

const listCells = ({ kind, removed, added, kept }: Extract<Difference, { kind: 'relation' | 'content' }>) => [
  <Elements key="before" changed={removed} kept={kept} mark="del" isLinked={kind === 'relation'} />,
  <Elements key="after" changed={added} kept={kept} mark="ins" isLinked={kind === 'relation'} />,
];

type ElementsProps = {
  readonly changed: readonly ContentElement[];
  readonly kept: readonly ContentElement[];
  readonly mark: 'del' | 'ins';
  /** What a version contains has no page of its own. */
  readonly isLinked: boolean;
};

const Elements = ({ changed, kept, mark: Mark, isLinked }: ElementsProps) => {
  const say = useMessages(processesMessages);
  return (
    <>
      <ul>
        {changed.map((element, at) => (
          <li key={`${element.id} ${at}`}>
            <Mark className={styles[Mark === 'del' ? 'gone' : 'come']}>
              {isLinked ? <ElementLink element={element} /> : <ElementName element={element} />}
            </Mark>
          </li>
        ))}
      </ul>
      {kept.length > 0 && <span className={styles['none']}>{say('kept', { count: kept.length })}</span>}
    </>
  );
};
