/** The suppliers of a company: first those whose invoices are paid late most of the time, then all others. */
import { createRandomSource, type RandomSource } from '../seeded.js';
import { getCell, splitCommaList, toSlug, type TextRow } from '../text-table.js';
import { pickByShare } from './choose.js';
import type { Category, Company, PaymentTerms } from './company.js';

export type Supplier = {
  readonly supplierNo: string;
  readonly name: string;
  readonly country: string;
  readonly city: string;
  readonly category: Category;
  readonly terms: PaymentTerms;
  readonly slowlyPaid: boolean;
  readonly email: string | null;
  readonly taxNo: string | null;
  readonly bankAccount: string;
  /** From 1 to 5 in tenths; null for who has not been rated. */
  readonly rating: number | null;
  readonly blocked: boolean;
  /** A day before the first order. */
  readonly createdDay: number;
};

const firstSupplierNo = 100_001;

type SupplierOutline = Pick<Supplier, 'name' | 'country' | 'city' | 'category' | 'terms' | 'slowlyPaid'>;

export const generateSuppliers = (company: Company, count: number): readonly Supplier[] => {
  const taken = new Map<string, number>();
  return Array.from({ length: count }, (_, index) => {
    const supplierNo = String(firstSupplierNo + index);
    const draw = createRandomSource(`${company.key}.supplier.${supplierNo}`);
    const named = company.slowlyPaid[index];
    const outline = named ? slowlyPaidOutline(company, named) : randomOutline(company, draw);
    const before = taken.get(outline.name) ?? 0;
    taken.set(outline.name, before + 1);
    const name = before === 0 ? outline.name : `${outline.name} (${before + 1})`;
    return { ...outline, name, supplierNo, ...drawDetails(outline, draw) };
  });
};

const slowlyPaidOutline = (company: Company, row: TextRow): SupplierOutline => {
  const category = company.categories.find(({ key }) => key === getCell(row, 3));
  const terms = company.terms.at(-1);
  if (!category || !terms) throw new Error(`The supplier "${getCell(row, 0)}" has no category or no terms.`);
  return { name: getCell(row, 0), country: getCell(row, 1), city: getCell(row, 2), category, terms, slowlyPaid: true };
};

const randomOutline = (company: Company, draw: RandomSource): SupplierOutline => {
  const row = draw.pick(company.supplierNames);
  const [family, trade, form, city] = [2, 3, 4, 5].map((cell) => draw.pick(splitCommaList(getCell(row, cell))));
  return {
    name: `${family} ${trade} ${draw.chance(0.35) ? `${city} ` : ''}${form}`,
    country: getCell(row, 0),
    city: city ?? '',
    category: pickByShare(draw, company.categories),
    terms: pickByShare(draw, company.terms),
    slowlyPaid: false,
  };
};

const drawDetails = ({ name, country }: SupplierOutline, draw: RandomSource) => ({
  email: draw.chance(0.85) ? `orders@${toSlug(name)}.example` : null,
  taxNo: draw.chance(0.9) ? `${country}${draw.whole(100_000_000, 999_999_999)}` : null,
  // Not an account of anybody: the check digits are wrong on purpose.
  bankAccount: `${country}00${draw.whole(100_000_000, 999_999_999)}${draw.whole(100_000_000, 999_999_999)}`,
  rating: draw.chance(0.8) ? draw.whole(21, 50) / 10 : null,
  blocked: draw.chance(0.02),
  createdDay: -draw.whole(30, 3_000),
});
