/**
 * What a KPI is over all rows and over those with each value of a field -> how much each value contributes, the largest
 * contribution first.
 * Refuses: values that nothing is known of; without rows there are none.
 */
export type Measured = {
  readonly kpi: number | null;
  readonly rows: number;
};

type MeasuredValue = Measured & {
  /** Its place among the fields that were asked for. */
  readonly field: number;
  /** As PostgreSQL sent it. */
  readonly value: string | null;
};

export type WeighedValue = MeasuredValue & { readonly share: number; readonly contribution: number | null };

/** `addsUp`: a contribution is a part of the sum, else the difference to the overall value times the share of rows. */
export const weighValues = (
  overall: Measured,
  values: readonly MeasuredValue[],
  addsUp: boolean,
): readonly WeighedValue[] =>
  values
    .map((value) => {
      const share = overall.rows > 0 ? value.rows / overall.rows : 0;
      return { ...value, share, contribution: addsUp ? (value.kpi ?? 0) : differenceOf(overall, value, share) };
    })
    .sort((left, right) => sizeOf(right) - sizeOf(left) || left.field - right.field || right.rows - left.rows);

const differenceOf = (overall: Measured, { kpi }: Measured, share: number): number | null =>
  kpi === null || overall.kpi === null ? null : (kpi - overall.kpi) * share;

/** What is not known is last. */
const sizeOf = ({ contribution }: WeighedValue): number => (contribution === null ? -1 : Math.abs(contribution));
