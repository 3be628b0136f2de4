/**
 * Payments: exactly so many of them late, most of these to a few suppliers, whose discount is lost. Blocked invoices
 * are never paid.
 */
import { createRandomSource, type RandomSource } from '../seeded.js';
import { demoToday } from './calendar.js';
import { chooseDistinct, type Quota } from './choose.js';
import type { Company } from './company.js';
import type { Invoice } from './invoices.js';
import type { OrderBlock } from './phases.js';

export type Payment = {
  readonly paymentNo: string;
  readonly invoice: Invoice;
  readonly day: number;
  readonly discountCents: number;
  readonly discountLostCents: number;
};

/** What stays the same while payments are drawn. */
type PaymentContext = {
  readonly company: Company;
  readonly late: Quota;
  readonly nextPaymentNo: () => string;
};

export const dueDayOf = ({ item, invoiceDay }: Invoice): number => invoiceDay + item.order.supplier.terms.netDays;

/** The last day that earns the discount. */
export const discountDayOf = ({ item, invoiceDay }: Invoice): number | null => {
  const { discountDays } = item.order.supplier.terms;
  return discountDays === null ? null : invoiceDay + discountDays;
};

export const discountCentsOf = ({ item, netCents, taxCents }: Invoice): number =>
  Math.round(((netCents + taxCents) * (item.order.supplier.terms.discountPercent ?? 0)) / 100);

type Payable = { readonly invoice: Invoice; readonly day: number };

/** Enough that a late payment has become one by today. */
const isOverdue = ({ invoice }: Payable): boolean => dueDayOf(invoice) + 2 <= demoToday;

export const generatePayments = (
  paying: PaymentContext,
  block: OrderBlock,
  invoices: readonly Invoice[],
): readonly Payment[] => {
  const draw = createRandomSource(`${paying.company.key}.payments.${block.number}`);
  const payable = invoices
    .filter(({ blocked }) => !blocked)
    .map((invoice) => ({ invoice, day: dayInTime(draw, invoice) }))
    .filter(({ day }) => day <= demoToday);
  const overdue = payable.filter(isOverdue);
  // The newest of all cannot be late yet: as many of them wait for the next run as keeps the share of late ones exact.
  const count = paying.late.fitting(payable.length, overdue.length);
  const others = chooseDistinct(
    draw,
    payable.filter((candidate) => !isOverdue(candidate)),
    count - overdue.length,
  );
  const paid = payable.filter((candidate) => isOverdue(candidate) || others.has(candidate));
  const late = chooseDistinct(draw, overdue, paying.late.take(paid.length, overdue.length), ({ invoice }) =>
    invoice.item.order.supplier.slowlyPaid ? 20 : 1,
  );
  return paid.map((candidate) => {
    const { invoice } = candidate;
    const day = late.has(candidate) ? Math.min(dueDayOf(invoice) + draw.whole(2, 25), demoToday) : candidate.day;
    const earned = day <= (discountDayOf(invoice) ?? -1);
    const cents = discountCentsOf(invoice);
    const discount = { discountCents: earned ? cents : 0, discountLostCents: earned ? 0 : cents };
    return { paymentNo: paying.nextPaymentNo(), invoice, day, ...discount };
  });
};

/** On the last days that earn the discount, or else that are in time; never before the goods are posted. */
const dayInTime = (draw: RandomSource, invoice: Invoice): number => {
  const earliest = Math.max(invoice.postedDay + 1, invoice.receipt?.postedDay ?? 0);
  const discountDay = discountDayOf(invoice);
  const dueDay = dueDayOf(invoice);
  const missesDiscount = draw.chance(0.04);
  if (discountDay !== null && !missesDiscount) return Math.max(earliest, discountDay - draw.whole(0, 2));
  return Math.max(earliest, discountDay === null ? dueDay - draw.whole(0, 4) : draw.whole(discountDay + 1, dueDay));
};
