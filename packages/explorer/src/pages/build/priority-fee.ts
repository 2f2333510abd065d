import type { PriorityFeeLevel, PriorityFees } from '@tidegate/client';
import { server } from '../../api/server.ts';

/** The first is the default. */
export const FEE_CHOICES = ['fast', 'none', 'normal', 'urgent'] as const;

export type FeeChoice = (typeof FEE_CHOICES)[number];

/** What recent transactions paid that write the same accounts. */
export type FeeOffer = {
  /** Compute units that are paid for. */
  readonly unitLimit: number;
  readonly levels: readonly PriorityFeeLevel[];
  /** Recent slots that the prices are of. */
  readonly slots: number;
};

/** The budget of a build. */
export type Budget = { readonly computeUnitLimit: number; readonly computeUnitPrice: string };

const MAX_UNITS = 1_400_000;
/** Of the two instructions that set the budget. */
const BUDGET_UNITS = 300;

/** What the preview used, with a tenth of room: the state can change until the transaction lands. */
export const unitLimitOf = (usedUnits: number): number =>
  Math.min(MAX_UNITS, Math.ceil((usedUnits * 11) / 10) + BUDGET_UNITS);

/** Undefined if no prices are known. */
export async function readFeeOffer(
  transaction: string,
  usedUnits: number,
  signal: AbortSignal,
): Promise<FeeOffer | undefined> {
  const unitLimit = unitLimitOf(usedUnits);
  const body = { transaction, computeUnitLimit: unitLimit };
  const fees = await server.post('/ktx/priority-fee', { body, signal });
  return fees.ok ? offerOf(fees.data, unitLimit) : undefined;
}

const offerOf = ({ levels, slots }: PriorityFees, unitLimit: number): FeeOffer | undefined =>
  levels.length === 0 ? undefined : { unitLimit, levels, slots };

/** Undefined if nothing is paid. */
export function budgetOf(offer: FeeOffer | undefined, choice: FeeChoice): Budget | undefined {
  const level = offer?.levels.find(({ name }) => name === choice);
  if (offer === undefined || level === undefined || level.computeUnitPrice === '0')
    return undefined;
  return { computeUnitLimit: offer.unitLimit, computeUnitPrice: level.computeUnitPrice };
}
