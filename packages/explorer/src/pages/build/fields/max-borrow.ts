import { request } from '../../../api/server.ts';
import { isAddress } from '../../../format/address.ts';
import { formatAmount } from '../../../format/number.ts';
import type { BuildFields } from '../../../routing/build-fields.ts';
import type { Choices } from '../form-props.ts';
import { lendingRequest } from '../request/builder-request.ts';

export type MaxBorrow = {
  /** In whole tokens; undefined if nothing can be borrowed. */
  readonly amount: string | undefined;
  /** What it leaves room for, or why there is none. */
  readonly note: string;
};

/** More than the reserve can have, so that the answer says how much is possible; undefined until a request is possible. */
export function excessiveBorrow(
  { action, wallet, market, reserve }: BuildFields,
  { markets }: Pick<Choices, 'markets'>,
): string | undefined {
  if (action !== 'borrow' || !isAddress(wallet)) return undefined;
  const found = markets
    .find(({ lendingMarket }) => lendingMarket === market)
    ?.reserves?.find((each) => each.reserve === reserve);
  const [whole] = found?.totalSupply.split('.') ?? [];
  return whole === undefined ? undefined : (BigInt(whole) + 1n).toString();
}

/** The server says what it suggests when it rejects too much. */
export async function requestMaxBorrow(fields: BuildFields, amount: string): Promise<MaxBorrow> {
  const built = await request(lendingRequest('borrow', { ...fields, amount }));
  if (!built.ok) return { amount: undefined, note: built.error.message };
  const failure = built.data.preview?.error;
  const { suggestedAmount, maxAmount } = failure ?? {};
  if (suggestedAmount == null || Number(suggestedAmount) === 0) {
    return { amount: undefined, note: failure?.action ?? 'The server suggests no amount.' };
  }
  const limit = maxAmount == null ? 'not known' : formatAmount(maxAmount).short;
  return {
    amount: suggestedAmount,
    note: `Leaves room for moving prices and interest; the limit now is ${limit}`,
  };
}
