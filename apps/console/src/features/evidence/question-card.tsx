/** What was asked: in words, by whom and when, of which version of the model, and what narrowed it down. */
import { useFormats, useMessages } from '../../language/language-provider.js';
import { evidenceMessages } from '../../messages/evidence/catalogue.js';
import { AreaLink } from '../../ui/area-link.js';
import { Card } from '../../ui/card.js';
import { Facts } from '../../ui/facts.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { nameOf } from '../session/me.js';
import { questionAddress, type Evidence } from './addresses.js';
import styles from './evidence.module.css';
import { searchWords } from './scope-words.js';

/** The server writes sentences in English. */
const serverLanguage = 'en';

export const QuestionCard = ({ evidence }: { readonly evidence: Evidence }) => {
  const say = useMessages(evidenceMessages);
  const { dateTime } = useFormats();
  const { statement, words } = evidence;
  const { question, model, askedBy, askedAt, kind } = statement;
  const address = questionAddress(evidence);
  const listed = (texts: readonly string[]) =>
    texts.length === 0 ? say('none') : <ForeignText text={texts.join('\n')} isBlock />;
  const search = searchWords(question, say);
  return (
    <Card title={say('question')}>
      <p className={styles['words']}>
        <ForeignText text={words} lang={serverLanguage} />
      </p>
      <Facts
        facts={[
          { name: say('askedBy'), value: <ForeignText text={nameOf({ subject: askedBy })} /> },
          { name: say('askedAt'), value: <time dateTime={askedAt}>{dateTime(askedAt)}</time> },
          { name: say('model'), value: say('modelVersion', { model: model.id, version: model.version }) },
          { name: say('way'), value: say(`kind_${kind}`) },
          { name: say('filters'), value: listed(question.filters) },
          { name: say('conditions'), value: listed([...question.conditions, ...question.groupConditions]) },
          ...(search === undefined ? [] : [{ name: say('search'), value: <ForeignText text={search} /> }]),
        ]}
      />
      {address !== undefined && (
        <p>
          <AreaLink {...address}>{say('openQuestion')}</AreaLink>
        </p>
      )}
    </Card>
  );
};
