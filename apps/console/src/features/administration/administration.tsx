/** What is around every page of the administration: for whom it is, which team it is about, and the way to the other pages. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { operationQuery } from '../../api/queries.js';
import { useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { ComboBox } from '../../ui/combobox.js';
import { EmptyState } from '../../ui/empty-state.js';
import { PageHead } from '../../ui/page-head.js';
import { SectionLink, SectionLinks } from '../../ui/section-links.js';
import { Skeleton } from '../../ui/skeleton.js';
import { TextLink } from '../../ui/text-link.js';
import { CallFault } from '../faults/call-fault.js';
import { useMay, useMe } from '../session/me.js';
import styles from './administration.module.css';
import { chooseTeam, TeamContext, type Team } from './team.js';

export type AdministrationProps = {
  /** The team that the address names; the operators may choose one. */
  readonly wantedTeam: string | undefined;
  readonly onTeam: (team: string) => void;
  readonly children: ReactNode;
};

const teamsMax = 1_000;

export const Administration = (props: AdministrationProps) => {
  const may = useMay();
  return may('admin') ? <TeamAdministration {...props} /> : <NotAllowed />;
};

const NotAllowed = () => {
  const say = useMessages(administrationMessages);
  return (
    <>
      <PageHead title={say('title')} />
      <EmptyState title={say('notAllowed')} action={<TextLink to="/">{say('toStart')}</TextLink>}>
        {say('notAllowedText')}
      </EmptyState>
    </>
  );
};

const TeamAdministration = ({ wantedTeam, onTeam, children }: AdministrationProps) => {
  const say = useMessages(administrationMessages);
  const me = useMe();
  const teams = useQuery(operationQuery('listTeams', { pageSize: teamsMax }));
  if (teams.isError) return <CallFault error={teams.error} onRetry={() => void teams.refetch()} />;
  const all = teams.data?.teams ?? [];
  const team = chooseTeam(all, me.team, wantedTeam);
  return (
    <>
      <SectionLinks label={say('title')}>
        <SectionLink to="/administration/members">{say('members')}</SectionLink>
        <SectionLink to="/administration/roles">{say('roles')}</SectionLink>
        <SectionLink to="/administration/keys">{say('keys')}</SectionLink>
        <SectionLink to="/administration/limits">{say('limits')}</SectionLink>
        <SectionLink to="/administration/audit">{say('audit')}</SectionLink>
        <SectionLink to="/administration/services">{say('services')}</SectionLink>
      </SectionLinks>
      {all.length > 1 && <TeamChoice teams={all} chosen={team?.team} onTeam={onTeam} />}
      {teams.isPending && <Skeleton lines={6} />}
      {teams.isSuccess && team === undefined && (
        <EmptyState title={say('noTeam')} action={<TextLink to="/">{say('toStart')}</TextLink>}>
          {say('noTeamText', { team: wantedTeam ?? me.team })}
        </EmptyState>
      )}
      {team !== undefined && (
        <TeamContext key={team.team} value={team}>
          {children}
        </TeamContext>
      )}
    </>
  );
};

type TeamChoiceProps = {
  readonly teams: readonly Team[];
  readonly chosen: string | undefined;
  readonly onTeam: (team: string) => void;
};

const TeamChoice = ({ teams, chosen, onTeam }: TeamChoiceProps) => {
  const say = useMessages(administrationMessages);
  return (
    <div className={styles['team']}>
      <ComboBox
        label={say('team')}
        options={teams.map(({ team, name }) => ({ id: team, label: name, description: team }))}
        selected={chosen}
        onSelect={(team) => team !== undefined && onTeam(team)}
      />
    </div>
  );
};
