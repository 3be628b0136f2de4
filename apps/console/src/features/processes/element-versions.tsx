/** The versions of an element, and two of them side by side. */
import { useQuery } from '@tanstack/react-query';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { processesMessages } from '../../messages/processes/catalogue.js';
import { Card } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Select } from '../../ui/select.js';
import { Skeleton } from '../../ui/skeleton.js';
import { TextLink } from '../../ui/text-link.js';
import { CallFault } from '../faults/call-fault.js';
import type { TypeDescription } from './attributes.js';
import { readOnlyElement } from './content-element.js';
import { versionQuery, versionsQuery } from './content-queries.js';
import styles from './element.module.css';
import { ElementName } from './element-name.js';
import type { ChangeSearch, ElementPlace, ElementSearch } from './place.js';
import { StateBadge, useStateName } from './states.js';
import { VersionComparison } from './version-comparison.js';
import { chooseVersions, readVersions, type ElementVersion } from './versions.js';
import { useViewpoint } from './viewpoint.js';

export type ElementVersionsProps = {
  readonly place: ElementPlace;
  readonly type: TypeDescription | undefined;
  /** Of what an element may lead to. */
  readonly relations: readonly string[];
  readonly search: ElementSearch;
  readonly onSearch: ChangeSearch<ElementSearch>;
};

export const ElementVersions = (props: ElementVersionsProps) => {
  const { place, search, onSearch } = props;
  const say = useMessages(processesMessages);
  const { asOf } = useViewpoint();
  const versions = useQuery({ ...versionsQuery(place, asOf), select: readVersions });
  if (versions.isPending) return <Skeleton shape="box" lines={2} />;
  if (versions.isError) return <CallFault error={versions.error} onRetry={() => void versions.refetch()} />;
  const chosen = chooseVersions(versions.data, search.from, search.to);
  return (
    <div className={styles['parts']}>
      <VersionTable place={place} versions={versions.data} />
      {chosen === undefined ? (
        <EmptyState title={say('oneVersion')}>{say('oneVersionDetail')}</EmptyState>
      ) : (
        <Card title={say('compare')}>
          <VersionChoice versions={versions.data} {...chosen} onSearch={onSearch} />
          <TwoVersions {...props} {...chosen} />
        </Card>
      )}
    </div>
  );
};

type VersionTableProps = Pick<ElementVersionsProps, 'place'> & { readonly versions: readonly ElementVersion[] };

/** Few enough for a plain table. */
const VersionTable = ({ place, versions }: VersionTableProps) => {
  const say = useMessages(processesMessages);
  const { dateTime } = useFormats();
  const { search } = useViewpoint();
  return (
    <Card title={say('versions')}>
      <table className={styles['versions']}>
        <thead>
          <tr>
            <th scope="col">{say('version')}</th>
            <th scope="col">{say('state')}</th>
            <th scope="col">{say('name')}</th>
            <th scope="col">{say('changedOn')}</th>
          </tr>
        </thead>
        <tbody>
          {versions.map(({ id, number, state, element, changedOn }) => (
            <tr key={id}>
              <th scope="row">
                <TextLink
                  to="/processes/$collectionId/$storageId/$facetId/$elementId"
                  params={place}
                  search={{ ...search, version: id }}
                >
                  <bdi>{number}</bdi>
                </TextLink>
              </th>
              <td>
                <StateBadge state={state} />
              </td>
              <td>
                <ElementName element={element} />
              </td>
              <td>{changedOn === undefined ? say('noValue') : dateTime(changedOn)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
};

type Chosen = { readonly before: ElementVersion; readonly after: ElementVersion };
type VersionChoiceProps = Chosen & Pick<VersionTableProps, 'versions'> & Pick<ElementVersionsProps, 'onSearch'>;

const VersionChoice = ({ versions, before, after, onSearch }: VersionChoiceProps) => {
  const say = useMessages(processesMessages);
  const nameOfState = useStateName();
  const options = versions.map(({ id, number, state }) => ({ id, label: `${number} · ${nameOfState(state)}` }));
  return (
    <div className={styles['compare']}>
      <Select
        label={say('before')}
        options={options}
        selected={before.id}
        onSelect={(from) => onSearch({ from, to: after.id })}
      />
      <Select
        label={say('after')}
        options={options}
        selected={after.id}
        onSelect={(to) => onSearch({ from: before.id, to })}
      />
    </div>
  );
};

/** Both are read whole: with what they lead to and what they contain. */
const TwoVersions = ({ place, type, relations, before, after }: ElementVersionsProps & Chosen) => {
  const { asOf } = useViewpoint();
  const queryOf = (elementId: string) => ({
    ...versionQuery({ ...place, elementId }, asOf, relations),
    select: readOnlyElement,
  });
  const [one, other] = [useQuery(queryOf(before.id)), useQuery(queryOf(after.id))];
  const failed = [one, other].find(({ isError }) => isError);
  if (failed !== undefined) return <CallFault error={failed.error} onRetry={() => void failed.refetch()} />;
  if (one.data === undefined || other.data === undefined) return <Skeleton lines={6} />;
  return (
    <VersionComparison
      type={type}
      before={{ number: before.number, element: one.data }}
      after={{ number: after.number, element: other.data }}
    />
  );
};
