import { formatInstant } from '../base/calendar.ts';
import type { Address } from '../base/encoding/address.ts';
import { CodedError } from '../base/errors.ts';
import { formatRatio, type Ratio } from '../base/numbers/decimal.ts';
import { mint as mintLayout } from '../protocol/spl/layout/mint.ts';
import { TOKEN_2022_PROGRAM } from '../protocol/spl/programs.ts';
import { type UiScaling, uiScalingOf } from '../protocol/spl/token-extensions.ts';
import type { BuildContext } from './build.ts';
import type { BuildDescription } from './build-summary.ts';
import { resultOrError } from './result-or-error.ts';
import { tokenSymbolOfReserves } from './vaults/vault-action-context.ts';

const MULTIPLIER_DIGITS = 18;

/**
 * Wallets multiply the balances of some mints. Amounts of requests and plans are not multiplied, so a user who copies
 * an amount from a wallet must know the factor.
 */
export function scaledAmountNotes(
  { pays, receives }: Pick<BuildDescription, 'pays' | 'receives'>,
  context: BuildContext,
): string[] {
  const mints = new Set([...pays, ...receives].map(({ mint }) => mint));
  return [...mints].flatMap((mint) => {
    const scaling = scalingOf(mint, context);
    return scaling === undefined ? [] : noteOf(symbolFor(mint, context), scaling);
  });
}

/** Undefined if the mint is not among the accounts of the build, or if its factor is not a number. */
function scalingOf(mint: Address, { accounts, state }: BuildContext): UiScaling | undefined {
  const account = accounts.get(mint);
  if (account === undefined || account.owner !== TOKEN_2022_PROGRAM) return undefined;
  const scaling = resultOrError(() => uiScalingOf(mintLayout.decode(account), state.at().unix));
  return scaling instanceof CodedError ? undefined : scaling;
}

export function symbolFor(
  mint: Address,
  { state, symbolOf }: Pick<BuildContext, 'state' | 'symbolOf'>,
): string {
  const reserves = state.markets().flatMap(({ address }) => state.reservesOf(address));
  const lent = tokenSymbolOfReserves(mint, reserves);
  return lent === mint ? (symbolOf?.(mint) ?? mint) : lent;
}

function noteOf(symbol: string, { multiplier, next }: UiScaling): string[] {
  const isScaled = multiplier.numerator !== multiplier.denominator;
  if (!isScaled && next === undefined) return [];
  const now = `Wallets show ${symbol} times ${format(multiplier)}`;
  const later =
    next === undefined
      ? ''
      : `, and times ${format(next.multiplier)} from ${formatInstant(next.from)}`;
  return [`${now}${later}; the amounts here are not multiplied.`];
}

const format = (multiplier: Ratio): string => formatRatio(multiplier, MULTIPLIER_DIGITS);
