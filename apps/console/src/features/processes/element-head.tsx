/** How the page of an element begins: the way to it, its name, what it is, and what can be done with it. */
import { useFormats, useMessages } from '../../language/language-provider.js';
import { processesMessages } from '../../messages/processes/catalogue.js';
import { Badge, Notice } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { shorten } from '../../ui/foreign-text.js';
import { PageHead } from '../../ui/page-head.js';
import { TextLink } from '../../ui/text-link.js';
import type { TypeDescription } from './attributes.js';
import { neutralText, type ContentElement } from './content-element.js';
import { CopyAddress } from './copy-address.js';
import { ElementTransitions } from './editing/element-transitions.js';
import { ElementName, GapMark } from './element-name.js';
import styles from './element.module.css';
import { MomentButton } from './moment.js';
import { definedName, nameOf } from './names.js';
import { facetPlaceOf, openText, type ChangeSearch, type ElementPlace, type ElementSearch } from './place.js';
import { StateBadge } from './states.js';
import { CultureSelect } from './storage-frame.js';
import { changedOnOf } from './versions.js';
import { findFacet, useViewpoint } from './viewpoint.js';

const titleLengthMax = 300;

export type ElementHeadProps = {
  readonly place: ElementPlace;
  readonly element: ContentElement;
  readonly type: TypeDescription | undefined;
  readonly onSearch: ChangeSearch<ElementSearch>;
  readonly onFacet: () => void;
  /** The editor is open. */
  readonly isEdited: boolean;
};

export const ElementHead = (props: ElementHeadProps) => {
  const { place, element, onSearch, onFacet, isEdited } = props;
  const say = useMessages(processesMessages);
  const { culture, asOf } = useViewpoint();
  const { text } = nameOf(element, culture);
  const trail = useTrail(place, element);
  return (
    <PageHead
      title={text === '' ? say('nameless') : shorten(text, titleLengthMax)}
      trail={trail}
      actions={
        <>
          {asOf === undefined && (
            <ElementTransitions
              place={facetPlaceOf(place)}
              elementId={element.versionId ?? element.id}
              culture={culture}
              onEdit={isEdited ? undefined : () => onSearch({ tab: 'edit' })}
              onVersion={(version) => onSearch({ version })}
              onDeleted={onFacet}
            />
          )}
          {!isEdited && <MomentButton elementId={element.id} onMoment={(at) => onSearch({ at })} />}
          <CopyAddress />
        </>
      }
    >
      <Marks {...props} />
    </PageHead>
  );
};

/** Says that this is one version of several, and leads to the one that the element itself shows. */
export const VersionNotice = ({ element, onSearch }: Pick<ElementHeadProps, 'element' | 'onSearch'>) => {
  const say = useMessages(processesMessages);
  return (
    <Notice>
      <div className={styles['line']}>
        <span>{say('oneOfVersions', { number: neutralText(element, 'version') })}</span>
        <Button onPress={() => onSearch({ version: undefined })}>{say('toValid')}</Button>
      </div>
    </Notice>
  );
};

/** What it is in a line: type, version, state, and when it was changed. */
const Marks = ({ element, type, onSearch }: ElementHeadProps) => {
  const say = useMessages(processesMessages);
  const { dateTime } = useFormats();
  const { culture } = useViewpoint();
  const number = neutralText(element, 'version');
  const changedOn = changedOnOf(element);
  return (
    <div className={styles['head']}>
      <div className={styles['line']}>
        <Badge>
          <bdi>{definedName(element.type, type?.displayNames ?? element.typeNames, culture)}</bdi>
        </Badge>
        {number !== '' && <Badge>{say('versionNumber', { number })}</Badge>}
        <StateBadge state={element.state} />
        {nameOf(element, culture).isGap && <GapMark culture={culture} />}
        {changedOn !== undefined && <span>{say('changedAt', { moment: dateTime(changedOn) })}</span>}
      </div>
      <div className={styles['select']}>
        <CultureSelect onSelect={(chosen) => onSearch({ culture: chosen })} />
      </div>
    </div>
  );
};

/** From the area down; the facet is opened where the element stands. */
const useTrail = (place: ElementPlace, element: ContentElement) => {
  const say = useMessages(processesMessages);
  const { storage, culture, search } = useViewpoint();
  const facet = findFacet(storage, place.facetId);
  const above = element.rootPath.toReversed();
  const open = openText(new Set(above.map(({ id }) => id)));
  return [
    <TextLink key="storages" to="/processes">
      {say('title')}
    </TextLink>,
    <TextLink
      key="facet"
      to="/processes/$collectionId/$storageId"
      params={place}
      search={{ ...search, facet: place.facetId, open }}
    >
      <bdi>{`${storage.title}: ${definedName(place.facetId, facet?.displayNames, culture)}`}</bdi>
    </TextLink>,
    ...above.map((each) => (
      <TextLink
        key={each.id}
        to="/processes/$collectionId/$storageId/$facetId/$elementId"
        params={{ ...place, elementId: each.id }}
        search={search}
      >
        <ElementName element={each} />
      </TextLink>
    )),
  ];
};
