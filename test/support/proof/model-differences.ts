import {
  farmState,
  rewardInfo,
  rewardPerTimeUnitPoint,
} from '#core/protocol/farms/layout/farm-state.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import {
  borrowObligationLiquidity,
  borrowObligationLiquidityV2,
  depositReserveLiquidityAndObligationCollateral,
  depositReserveLiquidityAndObligationCollateralV2,
} from '#core/protocol/klend/instructions/index.ts';
import {
  reserve,
  reserveConfig,
  reserveFees,
  reserveLiquidity,
  scopeConfiguration,
  tokenInfo,
} from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { vaultAllocation, vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { NEWEST_RULES } from '#core/protocol/releases/program-rules.ts';
import { DEMO_WALLET_INDEX } from '#localnet/genesis/wallets.ts';
import { customError } from '#localnet/runtime/transaction-errors.ts';
import { executeBorrow } from '#localnet/simulation/actions/lending-actions.ts';
import type { ActiveCluster } from './active-cluster.ts';
import {
  changedProgram,
  checkingFirst,
  type ExecutedPrograms,
  programsWithRules,
  readingOther,
  writingOther,
} from './changed-programs.ts';

/** Where a cluster with other programs differs from what a server computes. */
export type ModelDifference = {
  readonly name: string;
  readonly executed: ExecutedPrograms;
  /** One that differs, or how its name begins. */
  readonly field: string;
  /** Something that ordinary activity does not do often. */
  readonly plan?: (cluster: ActiveCluster) => void;
};

const { lending, farms } = NEWEST_RULES;

const fees = reserve.offsets.config + reserveConfig.offsets.fees;
const priceChain =
  reserve.offsets.config +
  reserveConfig.offsets.tokenInfo +
  tokenInfo.offsets.scopeConfiguration +
  scopeConfiguration.offsets.priceChain;
/** The first rate of the first reward. */
const rewardRate =
  farmState.offsets.rewardInfos +
  rewardInfo.offsets.rewardScheduleCurve +
  rewardPerTimeUnitPoint.offsets.rewardPerTimeUnit;
const firstCap =
  vaultState.offsets.vaultAllocationStrategy + vaultAllocation.offsets.tokenAllocationCap;

/** A field of 64 bits. */
const u64 = (
  account: typeof reserve | typeof vaultState | typeof farmState,
  offset: number,
  change: (value: bigint) => bigint,
) => ({
  account,
  offset,
  size: 8,
  write: (view: DataView, at: number) =>
    view.setBigUint64(at, change(view.getBigUint64(at, true)), true),
});

const DEPOSITS = [
  depositReserveLiquidityAndObligationCollateral,
  depositReserveLiquidityAndObligationCollateralV2,
];
const BORROWS = [borrowObligationLiquidity, borrowObligationLiquidityV2];

/** A byte that our layout calls padding, and that the program uses. */
const USED_PADDING = reserve.offsets.padding;

/** Checked before the value of the collateral. */
const INSUFFICIENT_LIQUIDITY = 6008;

/** More than any reserve has. */
const HUGE_AMOUNT = 2n ** 62n;

export const MODEL_DIFFERENCES: readonly ModelDifference[] = [
  {
    name: 'interest step',
    executed: programsWithRules({
      ...NEWEST_RULES,
      lending: { ...lending, compounding: 'powers first' },
    }),
    field: 'liquidity.cumulativeBorrowRateBsf',
  },
  {
    name: 'rounding',
    executed: changedProgram(
      KLEND_PROGRAM,
      writingOther({
        account: reserve,
        offset: reserve.offsets.liquidity + reserveLiquidity.offsets.borrowedAmountSf,
        // the last bit is lost
        write: (view, at) => view.setUint8(at, view.getUint8(at) & 0xfe),
      }),
    ),
    field: 'liquidity.borrowedAmountSf',
  },
  {
    name: 'fee',
    executed: changedProgram(
      KLEND_PROGRAM,
      readingOther({
        ...u64(reserve, fees + reserveFees.offsets.originationFeeSf, (fee) => fee + 2n ** 50n),
        instructions: BORROWS,
      }),
    ),
    field: 'liquidity.borrowedAmountSf',
  },
  {
    name: 'limit',
    executed: changedProgram(
      KLEND_PROGRAM,
      readingOther({
        ...u64(reserve, reserve.offsets.config + reserveConfig.offsets.depositLimit, () => 0n),
        instructions: DEPOSITS,
      }),
    ),
    field: 'error',
  },
  {
    name: 'order of checks',
    executed: changedProgram(
      KLEND_PROGRAM,
      checkingFirst(BORROWS, ({ data }) => {
        const amount = new DataView(data.buffer, data.byteOffset).getBigUint64(8, true);
        if (amount >= HUGE_AMOUNT) throw customError(INSUFFICIENT_LIQUIDITY);
      }),
    ),
    plan: borrowTooMuch,
    field: 'error',
  },
  {
    name: 'time base',
    executed: programsWithRules({
      ...NEWEST_RULES,
      lending: { ...lending, accrualBasis: 'slots' },
    }),
    field: 'lastUpdate.timestamp',
  },
  {
    name: 'reward',
    executed: programsWithRules({ ...NEWEST_RULES, farms: { ...farms, countsUserRewards: false } }),
    field: 'rewardsIssuedCumulative',
  },
  {
    name: 'vault fee',
    executed: changedProgram(
      KVAULT_PROGRAM,
      readingOther(u64(vaultState, vaultState.offsets.performanceFeeBps, (bps) => bps + 500n)),
    ),
    field: 'pendingFeesSf',
  },
  {
    name: 'cap',
    executed: changedProgram(
      KVAULT_PROGRAM,
      readingOther(u64(vaultState, firstCap, () => 1_000_000n)),
    ),
    field: 'vaultAllocationStrategy[0].tokenTargetAllocationSf',
  },
  {
    name: 'price selection',
    executed: changedProgram(
      KLEND_PROGRAM,
      readingOther({
        account: reserve,
        offset: priceChain,
        size: 2,
        write: (view, at) => view.setUint16(at, 0, true),
      }),
    ),
    field: 'error',
  },
  {
    name: 'farm rate',
    executed: changedProgram(
      FARMS_PROGRAM,
      readingOther(u64(farmState, rewardRate, (rate) => rate * 2n)),
    ),
    field: 'rewardInfos[0].rewardsAvailable',
  },
  {
    name: 'padding byte',
    executed: changedProgram(
      KLEND_PROGRAM,
      readingOther({
        ...u64(reserve, fees + reserveFees.offsets.originationFeeSf, (fee) => fee),
        write: (view, at) => {
          const isUsed = view.getUint8(USED_PADDING) !== 0;
          if (isUsed) view.setBigUint64(at, view.getBigUint64(at, true) + 2n ** 50n, true);
        },
        instructions: BORROWS,
      }),
    ),
    plan: setPadding,
    field: 'liquidity.borrowedAmountSf',
  },
];

function borrowTooMuch({ plan, agents, metadata }: ActiveCluster): void {
  const { market, borrow } = metadata.demo;
  const owner = agents.wallet(DEMO_WALLET_INDEX);
  const amount = { reserve: borrow.reserve, amount: HUGE_AMOUNT };
  plan((simulator) => {
    executeBorrow(simulator, { owner, market, kind: { kind: 'vanilla' } }, amount);
  });
}

/** Sets the byte in every reserve, as an administrator would. */
function setPadding({ plan, cluster: { bank } }: ActiveCluster): void {
  plan((simulator) => {
    for (const { address, account } of bank.accounts()) {
      if (!reserve.matches(account)) continue;
      const data = account.data.slice();
      data[USED_PADDING] = 1;
      simulator.setAccount(address, { ...account, data });
    }
  });
}
