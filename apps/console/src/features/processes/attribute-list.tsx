/** The attributes of an element, each in all languages of its storage: what is missing in one is said. */
import { useFormats, useMessages } from '../../language/language-provider.js';
import { processesMessages } from '../../messages/processes/catalogue.js';
import { Badge } from '../../ui/badge.js';
import { Card } from '../../ui/card.js';
import { Facts } from '../../ui/facts.js';
import { ForeignText, shorten } from '../../ui/foreign-text.js';
import { showValue, type ShownAttribute, type ShownAttributes, type ShownLink } from './attributes.js';
import { neutralCulture } from './content-element.js';
import { cultureTag } from './cultures.js';
import styles from './element.module.css';
import { GapMark, useCultureName } from './element-name.js';
import { useViewpoint } from './viewpoint.js';

const titleLengthMax = 200;

export const AttributeList = ({ attributes }: { readonly attributes: ShownAttributes }) => {
  const say = useMessages(processesMessages);
  const { localised, neutral } = attributes;
  return (
    <>
      {localised.length > 0 && (
        <Card title={say('texts')}>
          {localised.map((attribute) => (
            <LocalisedAttribute key={attribute.name} attribute={attribute} />
          ))}
        </Card>
      )}
      {neutral.length > 0 && (
        <Card title={say('facts')}>
          <Facts
            facts={neutral.map(({ label, values }) => ({
              name: label,
              value: <AttributeValue value={values[neutralCulture]} />,
            }))}
          />
        </Card>
      )}
    </>
  );
};

const LocalisedAttribute = ({ attribute: { label, values, neededIn } }: { readonly attribute: ShownAttribute }) => {
  const say = useMessages(processesMessages);
  const { cultures, culture } = useViewpoint();
  const cultureNameOf = useCultureName();
  // The language that is shown comes first.
  const ordered = [culture, ...cultures.filter((each) => each !== culture)];
  return (
    <section className={styles['attribute']}>
      <h3>
        <bdi>{label}</bdi>
      </h3>
      <dl className={styles['languages']}>
        {ordered.map((each) => (
          <div key={each} className={styles['language']}>
            <dt>{cultureNameOf(each)}</dt>
            <dd>
              {showValue(values[each]).kind === 'gap' ? (
                <span className={styles['line']}>
                  <GapMark culture={each} />
                  {neededIn.includes(each) && <Badge tone="danger">{say('needed')}</Badge>}
                </span>
              ) : (
                <AttributeValue value={values[each]} culture={each} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

export type AttributeValueProps = { readonly value: unknown; readonly culture?: string };

/** One value, as its kind is written in the language of the page. */
export const AttributeValue = ({ value, culture }: AttributeValueProps) => {
  const say = useMessages(processesMessages);
  const { number, dateTime } = useFormats();
  const shown = showValue(value);
  switch (shown.kind) {
    case 'gap':
      return <span className={styles['none']}>{say('noValue')}</span>;
    case 'text':
      return <ForeignText text={shown.text} lang={culture && cultureTag(culture)} isBlock />;
    case 'number':
      return number(shown.value);
    case 'boolean':
      return say(shown.value ? 'yes' : 'no');
    case 'moment':
      return dateTime(shown.instant);
    case 'links':
      return (
        <ul>
          {shown.links.map((link, at) => (
            <li key={at}>
              <WebLink link={link} />
            </li>
          ))}
        </ul>
      );
  }
};

const WebLink = ({ link: { title, address, sizeBytes } }: { readonly link: ShownLink }) => {
  const { number } = useFormats();
  const words = <bdi title={title.length > titleLengthMax ? title : undefined}>{shorten(title, titleLengthMax)}</bdi>;
  return (
    <>
      {address === undefined ? (
        words
      ) : (
        <a href={address} target="_blank" rel="noopener noreferrer">
          {words}
        </a>
      )}
      {sizeBytes !== undefined && (
        <span className={styles['none']}>
          {' '}
          {number(sizeBytes / 1_000, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 })}
        </span>
      )}
    </>
  );
};
