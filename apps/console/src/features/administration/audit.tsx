/** The logs of the team: who changed access, who changed content, who called tools. */
import { useMessages } from '../../language/language-provider.js';
import { auditMessages } from '../../messages/audit/catalogue.js';
import { PageHead } from '../../ui/page-head.js';
import { Tabs } from '../../ui/tabs.js';
import { AccessLog } from './access-log.js';
import type { AuditFilter } from './audit-filter.js';
import { CallLog } from './call-log.js';
import { ContentLog } from './content-log.js';

export type AuditProps = {
  readonly filter: AuditFilter;
  readonly onFilter: (filter: AuditFilter) => void;
};

export const Audit = ({ filter, onFilter }: AuditProps) => {
  const say = useMessages(auditMessages);
  const log = { filter, onFilter };
  return (
    <>
      <PageHead title={say('title')}>{say('lead')}</PageHead>
      <Tabs
        label={say('title')}
        selected={filter.log ?? 'access'}
        onSelect={(name) => onFilter(name === 'access' ? {} : { log: name })}
        tabs={[
          { id: 'access', label: say('access'), content: <AccessLog {...log} /> },
          { id: 'content', label: say('content'), content: <ContentLog {...log} /> },
          { id: 'calls', label: say('calls'), content: <CallLog {...log} /> },
        ]}
      />
    </>
  );
};
