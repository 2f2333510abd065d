import type { Call } from '../instructions/decode-calls.ts';
import { U64_MAX } from './amounts.ts';
import type { LendingContext } from './lending-context.ts';

const FRACTION_BITS = 60n;

/**
 * Parts per million by which cTokens may be worth more or less than the chain data says. They gain value with time, so
 * data from before the build has more cTokens for the amount than the build.
 */
const LESS_PPM = 2_000n;
const MORE_PPM = 100n;
const MILLION = 1_000_000n;

/**
 * The program takes cTokens, the request has tokens: the number must be the rounded-up value of the amount, within what
 * interest changes until the transaction is checked.
 */
export function checkCollateralAmount(call: Call, context: LendingContext): void {
  const { findings, amount, reserves, reserve } = context;
  const found = call.args['collateralAmount'] ?? 0n;
  if (amount === 'all') {
    if (found !== U64_MAX) {
      findings.add('WRONG_AMOUNT', `${found} cTokens are withdrawn instead of all.`, call);
    }
    return;
  }
  const data = reserves[reserve];
  if (data === undefined) {
    const message =
      'The program counts cTokens: give the chain data of the reserve, which has their value.';
    findings.add('MISSING_CHAIN_DATA', message, call);
    return;
  }
  const collateral = BigInt(data.collateralSupply);
  const liquidity = BigInt(data.liquiditySupplySf);
  const isOneToOne = collateral === 0n || liquidity === 0n;
  const scaled = amount << FRACTION_BITS;
  const exact = isOneToOne ? amount : ceilDiv(scaled * collateral, liquidity);
  // more than everything is everything
  const capped = !isOneToOne && exact > collateral ? collateral : exact;
  const least = capped - (capped * LESS_PPM) / MILLION - 1n;
  const most = capped + (capped * MORE_PPM) / MILLION + 1n;
  if (found < least || found > most || found === U64_MAX) {
    const message = `${found} cTokens are withdrawn; ${amount} smallest units are worth ${exact}.`;
    findings.add('WRONG_AMOUNT', message, call);
  }
}

const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;
