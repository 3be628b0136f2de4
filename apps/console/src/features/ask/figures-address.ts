/** The address in Figures of the question that a tool was asked: there its figures can be changed, drilled into and shared. */
import type { AreaAddress } from '../../ui/area-link.js';
import type { ModelQuery } from './load-arguments.js';

const listText = (ids: readonly string[]): string | undefined => (ids.length === 0 ? undefined : ids.join(','));

export const figuresAddress = ({ model, fields, kpis, filters, filterExpr, sort }: ModelQuery): AreaAddress => ({
  path: '/figures/$modelId',
  params: { modelId: model },
  search: {
    ...{ kpis: listText(kpis), fields: listText(fields), filters: listText(filters), sort },
    ...(filterExpr.length > 0 && { where: filterExpr }),
  },
});
