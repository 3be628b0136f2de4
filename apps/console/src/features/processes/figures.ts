/** Key figures that content names: which ones an element has, and how a knowledge model computes them now. */
import type { AnswerFor } from '../../api/operations.js';
import { neutralText, neutralValue, type ContentElement } from './content-element.js';

export type KeyFigure = {
  /** The element that describes it. */
  readonly element: ContentElement;
  /** Id of the KPI that computes it; undefined where no model does. */
  readonly kpiId: string | undefined;
  readonly unit: string;
  /** As the content says it: rates in percent. */
  readonly target: number | undefined;
};

/** The id of the KPI, and what it should be. */
const figureAttribute = 'figure';
const targetAttribute = 'target';

const numberAt = (element: ContentElement, attribute: string): number | undefined => {
  const value = neutralValue(element, attribute);
  return typeof value === 'number' ? value : undefined;
};

const isKeyFigure = (element: ContentElement): boolean =>
  neutralText(element, figureAttribute) !== '' || numberAt(element, targetAttribute) !== undefined;

/** The element itself when it is one, and those that its relations lead to, each once. */
export const keyFiguresOf = (element: ContentElement): readonly KeyFigure[] => {
  const found = new Map(
    [element, ...Object.values(element.related).flat()].filter(isKeyFigure).map((each) => [each.id, each]),
  );
  return [...found.values()].map((each) => ({
    element: each,
    kpiId: neutralText(each, figureAttribute) || undefined,
    unit: neutralText(each, 'unit'),
    target: numberAt(each, targetAttribute),
  }));
};

export type KpiDescription = AnswerFor<'listKpis'>['content'][number];

/** Rates are shares in models (0.042) and percent in content (4.2). */
const isShare = (kpi: KpiDescription): boolean => kpi.format?.trim().endsWith('%') ?? false;

export type LiveFigure = {
  readonly value: number | undefined;
  readonly unit: string;
  readonly target: number | undefined;
};

const toNumber = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** `value` is what the model answers. The target is that of the content, or else that of the KPI. */
export const liveFigure = ({ target }: KeyFigure, kpi: KpiDescription, value: unknown): LiveFigure => {
  const isRate = isShare(kpi);
  const own = target === undefined ? undefined : isRate ? target / 100 : target;
  return {
    value: toNumber(value),
    unit: isRate ? '%' : (kpi.unit ?? ''),
    target: own ?? toNumber(kpi.target),
  };
};
