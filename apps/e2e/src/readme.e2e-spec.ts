/** The shell examples of the README and the tour, run as they stand against a launched product. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testRunFolder } from '@tessera/testing';
import { itemsOf, memberOf, parseJson, textOf } from './json.js';
import { checkoutFolder, getSharedProduct, type RunningProduct } from './product.js';

let product: RunningProduct;
/** Where the commands are typed: nothing of the checkout is there. */
let folder: string;

beforeAll(async () => {
  product = await getSharedProduct();
  folder = await mkdtemp(join(testRunFolder(), 'second-terminal-'));
});

/** The `sh` blocks of a document in their order. */
const examplesIn = (path: string): readonly string[] =>
  [...readFileSync(join(checkoutFolder, path), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text);
const exampleWith = (part: string, path = 'docs/tour.md'): string => {
  const found = examplesIn(path).find((example) => example.includes(part));
  if (found === undefined) throw new Error(`No example of ${path} has ${part}.`);
  return found;
};

/** As in a terminal that knows nothing of the checkout: the file `env` has to bring the command. */
const pathOfUser = (process.env['PATH'] ?? '')
  .split(':')
  .filter((folder) => !folder.endsWith('node_modules/.bin'))
  .join(':');

const run = async (script: string): Promise<string> => {
  // The shared product has the smallest demo.
  const atHome = script.replaceAll('.tessera/env', join(product.home, 'env')).replaceAll('/demo/demo/', '/demo/tiny/');
  const { stdout } = await promisify(execFile)('sh', ['-euc', atHome], {
    cwd: folder,
    env: { ...process.env, PATH: pathOfUser },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
};

describe('the README examples', () => {
  it('print the state, and the same rates by agent and by query', async () => {
    const output = await run(exampleWith('. .tessera/env', 'README.md'));
    const rows = itemsOf(parseJson(output.slice(output.indexOf('{'))), 'content');
    expect(rows).toHaveLength(4);
    for (const row of rows) {
      const percent = (Number(memberOf(row, 'MAVERICK_RATE')) * 100).toFixed(2);
      expect(output).toContain(`| ${String(memberOf(row, 'PURCHASE_ORDER.PLANT'))} | ${percent} % |`);
    }
    expect(output).toMatch(/^gateway +up/m);
  });
});

describe('the examples of the tour', () => {
  it('print the report of the processes facet first', async () => {
    const [setting = '', call = ''] = exampleWith('P=$GATEWAY_URL').split(/\n\n/);
    const report = parseJson(await run(`${exampleWith('. .tessera/env')}\n${setting}\n${call}`));
    expect(memberOf(report, 'count')).toBe(1);
    expect(memberOf(report, 'values', 0, 'facetName')).toBe('processes');
  });

  it('each print an answer', async () => {
    const calls = exampleWith('P=$GATEWAY_URL').split(/\n\n+/);
    const [setting = '', ...rest] = calls;
    const requests = [...setting.split('\n').slice(1), ...rest.map((call) => call)].filter((call) =>
      /^(#|curl)/m.test(call),
    );
    expect(requests.length).toBeGreaterThanOrEqual(3);
    for (const call of requests.filter((text) => text.includes('curl'))) {
      const answer = parseJson(await run(`. .tessera/env\n${setting.split('\n')[0]}\n${call}`));
      expect(Number(memberOf(answer, 'count'))).toBeGreaterThan(0);
    }
    expect(await run('. .tessera/env\ntessera status')).toMatch(/database/);
  });

  it('query a model over HTTP and with the command line', async () => {
    const [setting = '', ...calls] = exampleWith('M=$GATEWAY_URL').split(/\n\n/);
    const ask = (call: string) => run(`. .tessera/env\n${setting}\n${call}`);
    const csv = await ask(calls.pop() ?? '');
    const [kpis, data, summary, document, months] = (await Promise.all(calls.map(ask))).map(parseJson);
    expect(csv).toMatch(/^ORDER_NO,ITEM_NO,NET_AMOUNT\r\n\d+,\d+,[\d.]+\r\n/);
    expect(csv.split('\r\n').length).toBeGreaterThan(100);
    expect(memberOf(kpis, 'content', 0, 'PURCHASE_ORDER.PLANT')).toBe('2010');
    expect(memberOf(data, 'content', 'data', 4)).toHaveProperty('NET_AMOUNT');
    expect(memberOf(summary, 'content', 'data', 'length')).toBe(3);
    expect(memberOf(document, 'openapi')).toBe('3.0.3');
    expect(memberOf(months, 'content', 0, 'PO_ITEM.ORDER_DATE:month')).toMatch(/^\d{4}-\d\d-01$/);
    const [query = '', explain = ''] = exampleWith('tessera query').trim().split('\n');
    expect(await run(`. .tessera/env\n${query}`)).toContain('LOST_DISCOUNT');
    expect(await run(`. .tessera/env\n${explain}`)).toContain('select');
  });

  it('read OData', async () => {
    const [setting = '', ...calls] = exampleWith('O=$GATEWAY_URL').split(/\n\n/);
    const ask = async (call: string) => parseJson(await run(`. .tessera/env\n${setting}\n${call}`));
    const [service, metadata, largest, groups, count, next] = await Promise.all(calls.map(ask));
    expect(memberOf(service, 'value', 0, 'kind')).toBe('EntitySet');
    expect(memberOf(metadata, '$Version')).toBe('4.01');
    expect(memberOf(largest, 'value', 4)).toHaveProperty('NET_AMOUNT');
    expect(memberOf(largest, '@odata.count')).toBeGreaterThan(5);
    expect(count).toBe(930);
    expect(memberOf(groups, 'value', 0, 'MAVERICK_RATE')).toBeGreaterThan(0);
    expect(memberOf(next, 'value', 0)).toHaveProperty('ORDER_NO');
  });

  it('call tools over HTTP and MCP, and find the calls in the log', async () => {
    const [setting = '', ...calls] = exampleWith('T=$GATEWAY_URL').split(/\n\n/);
    const answers = [];
    for (const call of calls) answers.push(parseJson(await run(`. .tessera/env\n${setting}\n${call}`)));
    const [found, loaded, insights, listed] = answers;
    const hits = parseJson(String(memberOf(found, 'search_result')));
    expect(memberOf(hits, 'maverik rate', 0, 'id')).toBe('MAVERICK_RATE');
    expect(memberOf(hits, 'Skontoverlust', 0, 'id')).toBe('LOST_DISCOUNT');
    expect(JSON.stringify(memberOf(hits, 'Lieferant'))).toContain('SUPPLIER.');
    expect(memberOf(loaded, 'data_frame_content', 'data', 0, 'PURCHASE_ORDER.PLANT')).toBe('2010');
    expect(memberOf(insights, 'insights', 4)).toHaveProperty('contribution');
    expect(memberOf(listed, 'result', 'tools', 0)).toHaveProperty('inputSchema');
    const log = await run(`. .tessera/env\n${exampleWith('tessera tools log')}`);
    expect(log).toContain('get-insights');
  });

  it('ask the agent, and call its tools', async () => {
    const [setting = '', ...calls] = exampleWith('A=$GATEWAY_URL').split(/\n\n/);
    const answers = [];
    for (const call of calls) answers.push(await run(`. .tessera/env\n${setting}\n${call}`));
    const [asked = '', streamed = '', list = '', document = '', executed = ''] = answers;
    const rates = await run(
      `. .tessera/env\nAPI_KEY=$DEMO_KEY tessera query p2p.base-km --fields PURCHASE_ORDER.PLANT --kpis MAVERICK_RATE --json`,
    );
    for (const plant of ['1010', '1020', '2010', '3010']) {
      const row = itemsOf(parseJson(rates), 'content').find((each) => memberOf(each, 'PURCHASE_ORDER.PLANT') === plant);
      const percent = (Number(memberOf(row, 'MAVERICK_RATE')) * 100).toFixed(2);
      expect(textOf(parseJson(asked), 'text')).toMatch(new RegExp(`${plant}.*${percent.replace('.', '\\.')} ?%`));
    }
    expect(streamed).toMatch(/^event: turn\n[\s\S]*^event: tool-call\n[\s\S]*^event: text\n[\s\S]*^event: response\n/m);
    expect(streamed).toMatch(/^event: response\n.*1020.*2026-03/m);
    expect(itemsOf(parseJson(list), 'conversations').length).toBeGreaterThanOrEqual(2);
    expect(memberOf(parseJson(document), 'openapi')).toBe('3.0.3');
    expect(memberOf(parseJson(executed), 'data_frame_content', 'data', 4)).toHaveProperty('LOST_DISCOUNT');
    expect(await run(`. .tessera/env\n${exampleWith('tessera ask')}`)).toMatch(/EUR/);
  });

  it('return the same figure over five interfaces', async () => {
    const [setting = '', ...calls] = exampleWith('D=$GATEWAY_URL').split(/\n\n/);
    const answers = [];
    for (const call of calls) answers.push(parseJson(await run(`. .tessera/env\n${setting}\n${call}`)));
    const [report, query, page, tool, agent] = answers;
    const kpi = 'DUPLICATE_INVOICE_VALUE';
    const figures = [
      Number(/"actual":\{"127":([\d.]+)\}/.exec(JSON.stringify(report))?.[1]),
      memberOf(query, 'content', 0, kpi),
      itemsOf(page, 'value').reduce((sum: number, each) => sum + Number(memberOf(each, 'NET_AMOUNT')), 0),
      memberOf(tool, 'result', 'structuredContent', 'data_frame_content', 'data', 0, kpi),
    ].map((figure) => Number(figure).toFixed(2));
    // The value that docs/demo.md has for the size of this demo.
    expect(figures).toEqual(Array(4).fill('17459.30'));
    expect(textOf(agent, 'text')).toContain('17,459.30');
    expect(readFileSync(join(checkoutFolder, 'docs/tour.md'), 'utf8')).toContain('1,398,656.76 EUR');
  });

  it('validate, compare, apply, export and load the files of the demo', async () => {
    const [setting = '', ...calls] = exampleWith('tessera validate').split(/\n\n/);
    const outputs = [];
    for (const call of calls) outputs.push(await run(`. .tessera/env\n${setting}\n${call}`));
    const [validated, compared, applied, exported, loaded] = outputs;
    expect(validated).toContain('knowledge model p2p.base-km: no fault');
    expect(compared).toContain('table p2p.supplier: unchanged');
    expect(applied).toMatch(/^meridian\/p2p: created 0, changed 0, unchanged 63 /m);
    expect(exported).toContain('agent p2p-analyst\n');
    expect(existsSync(join(folder, 'my-meridian', 'knowledge-models', 'p2p.base-km.km.yaml'))).toBe(true);
    expect(loaded).toMatch(/^p2p\.supplier: 60 rows /);
  });

  it('show changes, make a key and show the grants of the team', async () => {
    const output = await run(`. .tessera/env\n${exampleWith('tessera content changes')}`);
    expect(output).toMatch(/^CHANGE +WHEN +WHO/m);
    expect(output).toMatch(/^tsk_/m);
    expect(output).toMatch(/^meridian +Meridian Coatings/m);
  });

  it('write once, also when they are run again', async () => {
    const write = () => run(`. .tessera/env\n${exampleWith('Idempotency-Key')}`);
    const answer = await write();
    expect(memberOf(parseJson(answer), 'elements', 1, 'state')).toBe('inProcess');
    expect(await write()).toBe(answer);
  });
});
