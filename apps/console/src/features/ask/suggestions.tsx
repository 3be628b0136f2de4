/** What can be asked, for who has nothing yet: with the names of the KPIs that the person may see. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../api/queries.js';
import { useMessages } from '../../language/language-provider.js';
import { askMessages } from '../../messages/ask/catalogue.js';
import { Button } from '../../ui/button.js';
import { shorten } from '../../ui/foreign-text.js';
import { useMay } from '../session/me.js';
import styles from './suggestions.module.css';

const nameLengthMax = 80;
const kpisMax = 50;

export const Suggestions = ({ onChoose }: { readonly onChoose: (question: string) => void }) => {
  const say = useMessages(askMessages);
  const names = useKpiNames();
  const [one, two = one, three = one] = names.map((name) => shorten(name, nameLengthMax));
  const questions = [
    say('suggestionScope'),
    ...(one === undefined || two === undefined || three === undefined
      ? []
      : [
          say('suggestionFigure', { kpi: one }),
          say('suggestionMonths', { kpi: two }),
          say('suggestionDrivers', { kpi: three }),
        ]),
  ];
  return (
    <section className={styles['suggestions']} aria-labelledby={headingId}>
      <h2 id={headingId}>{say('emptyTitle')}</h2>
      <p className={styles['note']}>{say('suggestions')}</p>
      <ul className={styles['list']}>
        {questions.map((question) => (
          <li key={question}>
            <Button onPress={() => onChoose(withoutIsolates(question))}>{question}</Button>
          </li>
        ))}
      </ul>
    </section>
  );
};

const headingId = 'ask-suggestions';

/** Marks of direction are for who reads the page, not for the agent. */
const withoutIsolates = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, '');

/** Of the first model, those with a target first: they are what matters to the team. */
const useKpiNames = (): readonly string[] => {
  const may = useMay()('knowledge-models:read');
  const models = useQuery({ ...operationQuery('listModels', { pageSize: 1 }), enabled: may });
  const model = models.data?.content[0]?.id;
  const kpis = useQuery({
    ...operationQuery('listKpis', { km_id: model ?? '', pageSize: kpisMax }),
    enabled: model !== undefined,
  });
  return (kpis.data?.content ?? [])
    .toSorted((left, right) => Number(right.target !== undefined) - Number(left.target !== undefined))
    .map(({ name }) => name);
};
