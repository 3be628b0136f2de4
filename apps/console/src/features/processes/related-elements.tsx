/** What an element leads to, and what stands under it. */
import { useState } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { processesMessages } from '../../messages/processes/catalogue.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import type { TypeDescription } from './attributes.js';
import type { ContentElement } from './content-element.js';
import styles from './element.module.css';
import { ElementLink, useLabelOf } from './element-name.js';
import { isUsualState, StateBadge } from './states.js';

const shownAtFirst = 12;

const ElementList = ({ elements }: { readonly elements: readonly ContentElement[] }) => {
  const say = useMessages(processesMessages);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? elements : elements.slice(0, shownAtFirst);
  return (
    <>
      <ul className={styles['list']}>
        {shown.map((element, at) => (
          <li key={`${element.id} ${at}`} className={styles['line']}>
            <span className={styles['target']}>
              <ElementLink element={element} />
            </span>
            {!isUsualState(element.state) && <StateBadge state={element.state} />}
          </li>
        ))}
      </ul>
      {elements.length > shownAtFirst && (
        <div>
          <Button variant="quiet" aria-expanded={isWhole} onPress={() => setWhole(!isWhole)}>
            {isWhole ? say('showFewer') : say('showAllOf', { count: elements.length })}
          </Button>
        </div>
      )}
    </>
  );
};

export type RelationsProps = { readonly element: ContentElement; readonly type: TypeDescription | undefined };

/** Those of the server (who changed it, its versions) are told elsewhere. */
export const Relations = ({ element, type }: RelationsProps) => {
  const say = useMessages(processesMessages);
  const labelOf = useLabelOf();
  const relations = Object.entries(element.related).flatMap(([name, targets]) => {
    const defined = type?.relations.find((relation) => relation.name === name);
    const isShown = targets.length > 0 && name !== 'releaseHistory';
    return isShown ? [{ name, targets, label: labelOf(name, defined?.displayNames) }] : [];
  });
  if (relations.length === 0) return null;
  return (
    <Card title={say('relations')}>
      <div className={styles['relations']}>
        {relations.map(({ name, targets, label }) => (
          <section key={name} className={styles['relation']}>
            <h3>
              <bdi>{label}</bdi>
            </h3>
            <ElementList elements={targets} />
          </section>
        ))}
      </div>
    </Card>
  );
};

export const Children = ({ elements }: { readonly elements: readonly ContentElement[] }) => {
  const say = useMessages(processesMessages);
  if (elements.length === 0) return null;
  return (
    <Card title={say('children')}>
      <ElementList elements={elements} />
    </Card>
  );
};
