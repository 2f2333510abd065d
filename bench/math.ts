import type { Address } from '#core/base/encoding/address.ts';
import type { Shape } from '#core/base/encoding/layout.ts';
import type { AccountCodec, RawAccount } from '#core/base/solana/account.ts';
import type { ChainTime } from '#core/base/time.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { goldenCluster } from '../test/support/golden/golden.ts';
import { compare, type Pair } from './compare/compare-tasks.ts';
import { generateObligations } from './generated/generated-obligations.ts';
import { sized } from './smoke.ts';

export type NamedAccount = RawAccount & { readonly address: Address };

export type MathInput = {
  readonly at: ChainTime;
  readonly markets: readonly NamedAccount[];
  readonly reserves: readonly NamedAccount[];
  readonly oracles: readonly NamedAccount[];
  readonly obligations: readonly RawAccount[];
};

/** `obligations` are templates for generated ones. */
export type TidegateMathInput = MathInput & { readonly count: number; readonly sampled: number };

const OBLIGATIONS = sized(100_000, 200);
/** The SDK gets only the first ones; times are per obligation. */
const SDK_OBLIGATIONS = sized(1000, 20);
const TARGET = 50;
/** Relative. The SDK overstates the interest since the last refresh by a quarter. */
const TOLERANCE = 1e-6;

const { at, accounts } = goldenCluster();
const cluster = {
  at,
  markets: ofKind(lendingMarket),
  reserves: ofKind(reserve),
  oracles: ofKind(oraclePrices),
};
const originals = ofKind(obligation);

console.log(
  `bytes to refreshed stats, time per obligation: ${OBLIGATIONS} generated from ${originals.length} for Tidegate, ` +
    `the first ${SDK_OBLIGATIONS} of them for the SDK, which shares rates among obligations`,
);
const ours: TidegateMathInput = {
  ...cluster,
  obligations: originals,
  count: OBLIGATIONS,
  sampled: SDK_OBLIGATIONS,
};
const theirs: MathInput = {
  ...cluster,
  obligations: generateObligations(originals, SDK_OBLIGATIONS),
};
await compare({
  ours: { module: '../math/tidegate-math.ts', name: 'statsTasks', input: ours },
  theirs: { module: '../peers/sdk.js', name: 'statsTasks', input: theirs },
  pairs: [{ name: 'obligation stats', ours: 'stats', theirs: 'stats', target: TARGET }],
  check,
});

function ofKind<S extends Shape>(kind: AccountCodec<S>): NamedAccount[] {
  return [...accounts]
    .filter(([, account]) => kind.matches(account))
    .map(([address, { owner, data }]) => ({ address, owner, data }));
}

/** Throws unless both sides compute the same values in USD. */
function check(ours: readonly unknown[], theirs: readonly unknown[], { name }: Pair): void {
  let furthest = 0;
  theirs.forEach((stats, index) => {
    for (const [figure, text] of Object.entries(stats as Record<string, string>)) {
      const own = (ours[index] as Record<string, string>)[figure];
      const distance = Number(own) === Number(text) ? 0 : Math.abs(Number(own) / Number(text) - 1);
      if (!(distance <= TOLERANCE)) {
        throw new Error(`${name} ${index}: ${figure} is ${own}, the SDK says ${text}`);
      }
      furthest = Math.max(furthest, distance);
    }
  });
  console.log(`${theirs.length} compared: ${furthest.toExponential(1)} apart at most`);
}
