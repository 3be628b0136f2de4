/** Who one is here, what one may do, and what is left of the hour. */
import { useFormats, useMessages } from '../../language/language-provider.js';
import { homeMessages } from '../../messages/home/catalogue.js';
import { sessionMessages } from '../../messages/session/catalogue.js';
import { Badge } from '../../ui/badge.js';
import { Card, CardGrid } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { Meter } from '../../ui/meter.js';
import { nameOf, useMe, type Me } from '../session/me.js';
import styles from './home.module.css';

export const OwnAccess = () => {
  const me = useMe();
  return (
    <CardGrid>
      <Person me={me} />
      <Scopes me={me} />
      <Hour me={me} />
    </CardGrid>
  );
};

type PartProps = { readonly me: Me };

const Person = ({ me }: PartProps) => {
  const say = useMessages(homeMessages);
  const { dateTime } = useFormats();
  const own = me.teams.find(({ team }) => team === me.team);
  const others = me.teams.filter(({ team }) => team !== me.team);
  const facts: readonly Fact[] = [
    { name: say('name'), value: <ForeignText text={nameOf(me)} /> },
    { name: say('team'), value: <ForeignText text={own?.name ?? me.team} /> },
    ...(others.length > 0
      ? [{ name: say('otherTeams'), value: <ForeignText text={others.map(({ name }) => name).join(', ')} /> }]
      : []),
    ...(me.session === undefined
      ? []
      : [
          { name: say('sessionEnds'), value: dateTime(me.session.endsAt) },
          { name: say('idleEnds'), value: dateTime(me.session.idleEndsAt) },
        ]),
    ...listed(say('attributes'), me.attributes),
  ];
  return (
    <Card title={say('you')}>
      <Facts facts={facts} />
    </Card>
  );
};

const listed = (name: string, texts: readonly string[]): readonly Fact[] =>
  texts.length === 0 ? [] : [{ name, value: <ForeignText text={texts.join(', ')} /> }];

const Scopes = ({ me }: PartProps) => {
  const say = useMessages(homeMessages);
  const sayOfSession = useMessages(sessionMessages);
  const isKnown = (scope: string): scope is keyof typeof sessionMessages.en => scope in sessionMessages.en;
  return (
    <Card title={sayOfSession('scopeNames')}>
      {me.scopes.length === 0 && <EmptyState title={say('noRole')}>{say('noRoleText')}</EmptyState>}
      <ul className={styles['scopes']}>
        {me.scopes.map((scope) => (
          <li key={scope}>
            <Badge tone="accent">{isKnown(scope) ? sayOfSession(scope) : <bdi>{scope}</bdi>}</Badge>
          </li>
        ))}
      </ul>
      {me.furtherScopes.length > 0 && <Facts facts={listed(say('furtherScopes'), me.furtherScopes)} />}
    </Card>
  );
};

const Hour = ({ me: { limit } }: PartProps) => {
  const say = useMessages(homeMessages);
  const { time } = useFormats();
  const { remaining, hourly, resetsAt } = limit;
  return (
    <Card title={say('hour')}>
      <Meter
        label={say('hour')}
        text={say('left', { count: remaining, hourly })}
        share={hourly === 0 ? 0 : remaining / hourly}
      />
      <p className={styles['note']}>{say('until', { time: time(resetsAt) })}</p>
    </Card>
  );
};
