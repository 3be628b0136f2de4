/** Where an answer comes from: data, policies, the plan, the rows behind it, documents, SQL. */
import { useMessages } from '../../language/language-provider.js';
import { evidenceMessages } from '../../messages/evidence/catalogue.js';
import { AreaLink } from '../../ui/area-link.js';
import { Card } from '../../ui/card.js';
import { CodeBlock } from '../../ui/code-block.js';
import { PlainTable } from '../../ui/plain-table.js';
import { documentAddress, type Evidence, type EvidenceDocument } from './addresses.js';
import styles from './evidence.module.css';
import { planSteps } from './plan-steps.js';
import { RowsBehind } from './rows-behind.js';
import { policyWords } from './scope-words.js';

export const Origin = ({ evidence }: { readonly evidence: Evidence }) => {
  const { statement, documents, sql, plan } = evidence;
  return (
    <>
      <div className={styles['columns']}>
        <DataVersions data={statement.data} />
        <Policies policies={statement.policies} />
        <Plan plan={plan} />
        <RowsBehind evidence={evidence} />
        <Documents documents={documents} />
      </div>
      {sql !== undefined && <Statement {...sql} />}
    </>
  );
};

const DataVersions = ({ data }: Pick<Evidence['statement'], 'data'>) => {
  const say = useMessages(evidenceMessages);
  return (
    <Card title={say('data')}>
      {data.length === 0 ? (
        <p>{say('noTables')}</p>
      ) : (
        <PlainTable
          label={say('data')}
          heads={[say('table'), say('version')]}
          isEnd={[false, true]}
          rows={data.map(({ table, version, database }) => [
            database === undefined ? table : say('inDatabase', { table, database }),
            version ?? say('noVersion'),
          ])}
        />
      )}
    </Card>
  );
};

const Policies = ({ policies }: Pick<Evidence['statement'], 'policies'>) => {
  const say = useMessages(evidenceMessages);
  return (
    <Card title={say('policies')}>
      <p className={styles['note']}>{say(policies.length === 0 ? 'noPolicies' : 'policiesText')}</p>
      {policies.length > 0 && (
        <ul className={styles['points']}>
          {policies.map((policy) => (
            <li key={policy}>{policyWords(policy, say)}</li>
          ))}
        </ul>
      )}
    </Card>
  );
};

const Plan = ({ plan }: Pick<Evidence, 'plan'>) => {
  const say = useMessages(evidenceMessages);
  const steps = planSteps(plan);
  if (steps.length === 0) return null;
  return (
    <Card title={say('plan')}>
      <ol className={styles['steps']}>
        {steps.map(({ kind, text }, at) => (
          <li key={at}>{say(`step_${kind}`, { text })}</li>
        ))}
      </ol>
    </Card>
  );
};

const Documents = ({ documents }: Pick<Evidence, 'documents'>) => {
  const say = useMessages(evidenceMessages);
  return (
    <Card title={say('documents')}>
      {documents === undefined ? (
        <p>{say('documentsNotTold')}</p>
      ) : documents.length === 0 ? (
        <p>{say('noDocuments')}</p>
      ) : (
        <ul className={styles['points']}>
          {documents.map((document) => (
            <li key={`${document.figure} ${document.versionId}`}>
              <Document document={document} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
};

const Document = ({ document }: { readonly document: EvidenceDocument }) => {
  const say = useMessages(evidenceMessages);
  const text = say('documentVersion', { name: document.element.name, version: document.version });
  const address = documentAddress(document);
  return address === undefined ? text : <AreaLink {...address}>{text}</AreaLink>;
};

const Statement = ({ text, parameters }: NonNullable<Evidence['sql']>) => {
  const say = useMessages(evidenceMessages);
  return (
    <Card title={say('sql')}>
      <CodeBlock text={text} what={say('sql')} />
      {parameters.length > 0 && <CodeBlock text={JSON.stringify(parameters, null, 2)} what={say('parameters')} />}
    </Card>
  );
};
