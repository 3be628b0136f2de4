import { expect, it } from '@jest/globals';
import { chooseTeam, type Team } from './team.js';

const team = (id: string): Team => ({
  ...{ team: id, name: id, grants: { scopes: [], furtherScopes: [], attributes: {}, hourlyLimit: 1 } },
});
const teams = [team('meridian'), team('northgate')];

it('the team is the wanted one, else the own one, else the first', () => {
  expect(chooseTeam(teams, 'meridian', 'northgate')?.team).toBe('northgate');
  expect(chooseTeam(teams, 'northgate', undefined)?.team).toBe('northgate');
  expect(chooseTeam(teams, 'operators', undefined)?.team).toBe('meridian');
});

it('a wanted team that is not there is never another one', () => {
  expect(chooseTeam(teams, 'meridian', 'tinyco')).toBeUndefined();
  expect(chooseTeam([], 'meridian', undefined)).toBeUndefined();
});
