import fc from 'fast-check';
import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { sfFromBits, sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '#core/base/time.ts';
import { type LendingMarket, lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { type Obligation, obligation } from '#core/protocol/klend/layout/obligation.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import { obligationAddress } from '#core/protocol/klend/pda.ts';
import { SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { type GoldenAccount, goldenCluster } from '../golden/golden.ts';

export type GoldenLoan = { readonly address: Address; readonly fields: Obligation };

/** The loans of the golden cluster that the builders use by default. */
export function vanillaGoldenLoans(): GoldenLoan[] {
  return [...goldenCluster().accounts].flatMap(([address, account]) => {
    if (!obligation.matches(account)) return [];
    const fields = obligation.decode(account);
    const { owner, lendingMarket: market } = fields;
    const vanilla = obligationAddress({ kind: 'vanilla', owner, lendingMarket: market });
    return address === vanilla ? [{ address, fields }] : [];
  });
}

const share = fc.bigInt(0n, 1000n);
/** Rarely, so that most limits are not zero. */
const sometimes = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

/** Changes of a reserve; amounts are parts of its size in thousandths. */
const reserveChange = fc.record({
  ltvPct: sometimes(fc.constantFrom(0, 1, 30, 60)),
  availableMillionths: sometimes(fc.bigInt(0n, 1_000_000n)),
  cap: sometimes(share),
  borrowLimitRoom: sometimes(share),
  feeBps: sometimes(fc.bigInt(0n, 500n)),
  queued: sometimes(share),
  utilizationLimitPct: sometimes(fc.integer({ min: 1, max: 99 })),
  borrowFactorPct: sometimes(fc.bigInt(100n, 300n)),
});

export const loanChanges = fc.record({
  /** In thousandths of the value of the deposits. */
  globalAllowedBorrowValue: sometimes(fc.bigInt(0n, 1500n)),
  minNetValue: sometimes(fc.bigInt(0n, 2000n)),
  reserves: fc.array(reserveChange, { minLength: 4, maxLength: 4 }),
});

type Changes = typeof loanChanges extends fc.Arbitrary<infer Value> ? Value : never;
type ReserveChanges = Changes['reserves'][number];

/** The golden cluster in which the market and the reserves of a loan are changed. */
export function changedCluster({ fields }: GoldenLoan, changes: Changes) {
  const { at, accounts } = goldenCluster();
  const used = [
    ...fields.deposits.map(({ depositReserve }) => depositReserve),
    ...fields.borrows.map(({ borrowReserve }) => borrowReserve),
  ];
  const change = (address: Address, encode: (account: GoldenAccount) => Uint8Array): void => {
    const account = accounts.get(address);
    if (account !== undefined) accounts.set(address, { ...account, data: encode(account) });
  };
  [...new Set(used)]
    .filter((address) => address !== ZERO_ADDRESS)
    .forEach((address, i) => {
      const changed = changes.reserves[i % changes.reserves.length];
      if (changed === undefined) return;
      change(address, (raw) =>
        reserve.encode(changedReserve(reserve.decode(raw), changed, at.unix)),
      );
    });
  change(fields.lendingMarket, (raw) =>
    lendingMarket.encode(changedMarket(lendingMarket.decode(raw), fields, changes)),
  );
  accounts.set(fields.owner, {
    owner: SYSTEM_PROGRAM,
    lamports: 10n ** 11n,
    data: new Uint8Array(),
  });
  const state = new ClusterState({ log: silentLog });
  for (const [address, account] of accounts) state.apply({ address, account, slot: at.slot });
  state.setAt(at);
  return { at, accounts, state };
}

function changedMarket(market: LendingMarket, loan: Obligation, changes: Changes): LendingMarket {
  const { globalAllowedBorrowValue, minNetValue } = changes;
  const deposited = loan.depositedValueSf >> 60n;
  return {
    ...market,
    globalAllowedBorrowValue:
      globalAllowedBorrowValue === undefined
        ? market.globalAllowedBorrowValue
        : (deposited * globalAllowedBorrowValue) / 1000n,
    minNetValueInObligationSf:
      minNetValue === undefined ? market.minNetValueInObligationSf : sfFromInt(minNetValue),
  };
}

function changedReserve(before: Reserve, changes: ReserveChanges, now: UnixSeconds): Reserve {
  const { liquidity, collateral, config } = before;
  const total = liquidity.totalAvailableAmount;
  const available =
    changes.availableMillionths === undefined
      ? total
      : (total * changes.availableMillionths) / 1_000_000n;
  const borrowed = sfFromBits(liquidity.borrowedAmountSf + sfFromInt(total - available));
  const part = (all: bigint, thousandths: bigint | undefined): bigint =>
    thousandths === undefined ? 0n : (all * thousandths) / 1_000_000n;
  const cap = (current: Reserve['config']['depositWithdrawalCap']) =>
    changes.cap === undefined
      ? current
      : {
          configCapacity: part(available, changes.cap),
          currentTotal: 0n,
          lastIntervalStartTimestamp: now,
          configIntervalLengthSeconds: 3600n,
        };
  return {
    ...before,
    liquidity: {
      ...liquidity,
      totalAvailableAmount: toLamports(available),
      borrowedAmountSf: borrowed,
    },
    withdrawQueue: {
      ...before.withdrawQueue,
      queuedCollateralAmount: part(collateral.mintTotalSupply, changes.queued),
    },
    config: {
      ...config,
      loanToValuePct: Math.min(
        changes.ltvPct ?? config.loanToValuePct,
        config.liquidationThresholdPct,
      ),
      depositWithdrawalCap: cap(config.depositWithdrawalCap),
      debtWithdrawalCap: cap(config.debtWithdrawalCap),
      borrowLimit:
        changes.borrowLimitRoom === undefined
          ? config.borrowLimit
          : toLamports((borrowed >> 60n) + part(total, changes.borrowLimitRoom)),
      fees:
        changes.feeBps === undefined
          ? config.fees
          : {
              ...config.fees,
              originationFeeSf: sfFromBits((sfFromInt(1n) * changes.feeBps) / 10_000n),
            },
      utilizationLimitBlockBorrowingAbovePct:
        changes.utilizationLimitPct ?? config.utilizationLimitBlockBorrowingAbovePct,
      borrowFactorPct: changes.borrowFactorPct ?? config.borrowFactorPct,
    },
  };
}
