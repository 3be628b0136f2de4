/** `tessera query MODEL`: rows and KPIs of a knowledge model, as the gateway returns them to the key. */
import { postModelQuery, postRecordQuery } from '@tessera/contracts/knowledge-models';
import type { z } from 'zod';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { indentExactJson } from '../terminal/exact-json.js';
import { formatTable } from '../terminal/format.js';
import { formatCount } from '../terminal/terminal.js';
import { reportUsageError, reportTeamKeyFailure, withGateway, type CommandContext } from './command.js';
import { parseQueryOptions, type QueryOptions } from './query-options.js';

type Page = z.output<(typeof postModelQuery)['reply']['schema']>;

export const queryCommand = (
  context: CommandContext,
  model: string,
  options: QueryOptions,
): Promise<ExitCode> | ExitCode => {
  const query = parseQueryOptions(options);
  if (typeof query === 'string') return reportUsageError(context, `${query}.`);
  const { record, json = false } = options;
  return withGateway(
    context,
    async (gateway) => {
      const answer =
        record === undefined
          ? await gateway.callRendered(postModelQuery, { km_id: model, query })
          : await gateway.callRendered(postRecordQuery, { km_id: model, record_id: record, query });
      if (!answer.ok) return reportTeamKeyFailure(context, answer.refusal, 'model');
      const { value, text } = answer.value;
      if (json) context.terminal.print(indentExactJson(text));
      else printRows(context, value);
      return exitCodes.done;
    },
    ['API_KEY', 'ADMIN_KEY'],
  );
};

const printRows = ({ terminal }: CommandContext, { content, page, pageSize, total }: Page): void => {
  const head = Object.keys(content[0] ?? {});
  const rows = content.map((row) => head.map((name) => cellText(row[name])));
  if (content.length > 0) for (const line of formatTable(head, rows)) terminal.print(line);
  const first = page * pageSize + 1;
  const shown =
    content.length === 0 ? 'no row' : `rows ${formatCount(first)} to ${formatCount(first + content.length - 1)}`;
  terminal.note(total === undefined ? shown : `${shown} of ${formatCount(total)}`);
};

const cellText = (value: string | number | boolean | null | undefined): string =>
  value === null || value === undefined ? '-' : String(value);
