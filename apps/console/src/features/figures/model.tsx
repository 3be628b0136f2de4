/** The page of a model: its questions, its records, its KPIs and filters. All that is chosen is in the address. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { operationQuery } from '../../api/queries.js';
import { useMessages } from '../../language/language-provider.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { PageHead } from '../../ui/page-head.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Tabs } from '../../ui/tabs.js';
import { TextLink } from '../../ui/text-link.js';
import { CallFault } from '../faults/call-fault.js';
import { emptyDraft, type ConditionDraft } from './condition.js';
import { questionOf, searchOf, type FiguresSearch, type FiguresTab, type Question } from './question.js';
import { useSchema } from './use-schema.js';

/** On its way before the model is read: most who come here ask something. */
const questionView = import('./question-view.js');
const QuestionView = lazy(async () => ({ default: (await questionView).QuestionView }));
const Records = lazy(async () => ({ default: (await import('./records.js')).Records }));
const KpiCatalogue = lazy(async () => ({ default: (await import('./kpi-catalogue.js')).KpiCatalogue }));

export type ModelProps = {
  readonly modelId: string;
  readonly search: FiguresSearch;
  /** `isTyped`: a text that grows by each character; it is no step to go back to. */
  readonly onSearch: (search: FiguresSearch, isTyped?: boolean) => void;
};

export const Model = ({ modelId, search, onSearch }: ModelProps) => {
  const say = useMessages(figuresMessages);
  const model = useQuery(operationQuery('readModel', { km_id: modelId }));
  // Kept here, so that what is typed outlives a look at another tab.
  const [draft, setDraft] = useState(emptyDraft);
  const { tab = 'question' } = search;
  const select = (chosen: FiguresTab): void => {
    const { tab: _, ...others } = search;
    onSearch({ ...others, ...(chosen !== 'question' && { tab: chosen }) });
  };
  const content = (
    <Suspense fallback={<Skeleton shape="box" lines={3} />}>
      <ModelTab {...{ modelId, search, onSearch, draft }} onDraft={setDraft} />
    </Suspense>
  );
  const trail = [
    <TextLink key="figures" to="/figures">
      {say('title')}
    </TextLink>,
  ];
  return (
    <>
      <PageHead title={model.data?.name ?? modelId} trail={trail}>
        {model.data?.extendedKMId !== undefined && say('extends', { model: model.data.extendedKMId })}
      </PageHead>
      {model.isError ? (
        <CallFault error={model.error} onRetry={() => void model.refetch()} />
      ) : (
        <Tabs
          label={say('parts')}
          selected={tab}
          onSelect={select}
          tabs={[
            { id: 'question', label: say('questionTab'), content },
            { id: 'records', label: say('recordsTab'), content },
            { id: 'kpis', label: say('kpisTab'), content },
          ]}
        />
      )}
    </>
  );
};

type ModelTabProps = ModelProps & {
  /** Of a condition that is not asked yet. */
  readonly draft: ConditionDraft;
  readonly onDraft: (draft: ConditionDraft) => void;
};

const ModelTab = ({ modelId, search, onSearch, draft, onDraft }: ModelTabProps) => {
  const { schema, error, retry } = useSchema(modelId);
  const question = useMemo(() => questionOf(search), [search]);
  if (error !== undefined) return <CallFault error={error} onRetry={retry} />;
  if (schema === undefined) return <Skeleton shape="box" lines={3} />;
  const ask = (asked: Question): void => onSearch(searchOf(asked));
  switch (search.tab ?? 'question') {
    case 'question':
      return (
        <QuestionView
          {...{ modelId, schema, question, draft, onDraft }}
          onChange={(asked) => onSearch({ ...keptBeside(search), ...searchOf(asked) })}
        />
      );
    case 'records':
      return (
        <Records
          schema={schema}
          selected={search.record}
          onSelect={(record) => onSearch({ ...search, record })}
          onAsk={ask}
        />
      );
    case 'kpis':
      return (
        <KpiCatalogue
          {...{ schema, question }}
          find={search.find ?? ''}
          onFind={(find) => onSearch({ ...search, find: find === '' ? undefined : find }, true)}
          onAsk={ask}
        />
      );
  }
};

const keptBeside = ({ record, find }: FiguresSearch): FiguresSearch => ({
  ...(record !== undefined && { record }),
  ...(find !== undefined && { find }),
});
