import { describe, expect, it } from '@jest/globals';
import { makeMetrics } from '@tessera/service-kit';
import { RequestMetrics } from './request-recorder.js';

const seriesOf = (text: string, metric: string): readonly string[] =>
  text.split('\n').filter((line) => line.startsWith(`${metric}{`));

describe('the metrics of requests', () => {
  it('count by operation and status publicly, and by team only for the operator', async () => {
    const metrics = makeMetrics('gateway');
    const figures = new RequestMetrics(metrics);
    for (const status of [200, 204, 429, 404, 503]) {
      figures.begun();
      figures.ended('content.facets.list', status, 'meridian', 0.25);
    }
    figures.begun();
    const open = await metrics.registry.metrics();
    expect(open).toMatch(/duration_seconds_count\{[^}]*operation="content.facets.list",status="503"\} 1/);
    expect(seriesOf(open, 'tessera_http_requests_in_progress')[0]).toMatch(/ 1$/);
    expect(open).not.toContain('meridian');
    const byTeam = await metrics.teamRegistry.metrics();
    expect(byTeam).toContain('tessera_team_requests_total{team="meridian",status="2xx",service="gateway"} 2');
    for (const status of ['4xx', '429', '5xx'])
      expect(byTeam).toContain(`tessera_team_requests_total{team="meridian",status="${status}",service="gateway"} 1`);
    expect(byTeam).toContain('tessera_team_request_seconds_total{team="meridian",service="gateway"} 1.25');
  });

  it('name at most a hundred teams, with two series for the others and for requests without a team', async () => {
    const metrics = makeMetrics('gateway');
    const figures = new RequestMetrics(metrics);
    figures.ended('none', 401, undefined, 0.1);
    for (let index = 0; index < 500; index++) figures.ended('content.facets.list', 200, `team-${index}`, 0.1);
    const text = await metrics.teamRegistry.metrics();
    expect(seriesOf(text, 'tessera_team_request_seconds_total')).toHaveLength(101);
    expect(text).toContain('tessera_team_requests_total{team="none",status="4xx",service="gateway"} 1');
    expect(text).toMatch(/tessera_team_requests_total\{team="other",status="2xx",service="gateway"\} 401/);
  });
});
