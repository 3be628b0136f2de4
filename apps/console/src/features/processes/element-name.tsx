/** What elements are called on a page, and the links to their pages. */
import { useCallback, type ReactNode } from 'react';
import { useMessages, usePreferences } from '../../language/language-provider.js';
import { processesMessages } from '../../messages/processes/catalogue.js';
import { Badge } from '../../ui/badge.js';
import { shorten } from '../../ui/foreign-text.js';
import { TextLink } from '../../ui/text-link.js';
import type { ContentElement } from './content-element.js';
import { cultureName, cultureTag } from './cultures.js';
import { definedName, nameOf, type LabelOf } from './names.js';
import { useViewpoint } from './viewpoint.js';

const nameLengthMax = 200;

/** `German` for `1031`, in the language of the page. */
export const useCultureName = (): ((culture: string) => string) => {
  const { language } = usePreferences();
  const { cultures } = useViewpoint();
  return useCallback((culture) => cultureName(culture, cultures, language), [cultures, language]);
};

/** What most elements have, under names that definitions mostly do not say. */
const commonNames = [
  ...(['name', 'description', 'authorNote', 'createdBy', 'changedBy', 'author', 'purp', 'validFrom'] as const),
  ...(['validUntil', 'reasonForRevision', 'relOn', 'links', 'files'] as const),
];

export const useLabelOf = (): LabelOf => {
  const say = useMessages(processesMessages);
  const { culture } = useViewpoint();
  return useCallback(
    (name, displayNames) => {
      const common = commonNames.find((each) => each === name);
      const isNamed = Object.keys(displayNames ?? {}).length > 0;
      return common === undefined || isNamed ? definedName(name, displayNames, culture) : say(common);
    },
    [say, culture],
  );
};

/** Says that there is no text in a language. */
export const GapMark = ({ culture }: { readonly culture: string }) => {
  const say = useMessages(processesMessages);
  const cultureNameOf = useCultureName();
  return <Badge tone="warning">{say('gap', { language: cultureNameOf(culture) })}</Badge>;
};

type ElementProps = { readonly element: ContentElement };
/** `children` stand in place of the name. */
type ElementLinkProps = ElementProps & { readonly children?: ReactNode };

/** Shortened when it is very long: the page of the element has all of it. */
export const ElementName = ({ element }: ElementProps) => {
  const say = useMessages(processesMessages);
  const { culture } = useViewpoint();
  const name = nameOf(element, culture);
  return (
    <bdi
      lang={name.culture && cultureTag(name.culture)}
      title={name.text.length > nameLengthMax ? name.text : undefined}
    >
      {name.text === '' ? say('nameless') : shorten(name.text, nameLengthMax)}
    </bdi>
  );
};

/** The link to the page of an element; where its name is not in the language that is shown, that is said. */
export const ElementLink = ({ element, children }: ElementLinkProps) => {
  const { place, culture, search } = useViewpoint();
  return (
    <>
      <TextLink
        to="/processes/$collectionId/$storageId/$facetId/$elementId"
        params={{ ...place, facetId: element.facetName, elementId: element.id }}
        search={search}
      >
        {children ?? <ElementName element={element} />}
      </TextLink>{' '}
      {children === undefined && nameOf(element, culture).isGap && <GapMark culture={culture} />}
    </>
  );
};
