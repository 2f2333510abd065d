import type { Preview } from '@tidegate/client';
import { compareDecimals, multiplyDecimals, subtractDecimals } from '@tidegate/client';
import { sum } from '../../format/decimal.ts';
import { formatAmount, formatUsd } from '../../format/number.ts';
import type { ActionName } from '../../routing/build-fields.ts';
import { type ChangeRow, type Figure, toChangeRow } from './change-row.ts';

/** Shares of a vault that a wallet has, in whole shares. */
export type SharePosition = {
  /** Undefined if it is not known. */
  readonly staked: string | undefined;
  /** In the wallet. */
  readonly unstaked: string;
  /** Undefined if it is not known. */
  readonly total: string | undefined;
};

/** What a share is worth. */
export type ShareValue = {
  readonly tokensPerShare: string;
  /** In USD. */
  readonly sharePrice: string;
};

type VaultAction = 'vault-deposit' | 'vault-withdraw';

export const isVaultAction = (action: ActionName): action is VaultAction =>
  action === 'vault-deposit' || action === 'vault-withdraw';

/** Symbol of the vault’s token; empty if not known. */
export function tokenSymbol({ plan }: Preview, action: VaultAction): string {
  const [move] = action === 'vault-deposit' ? plan.pays : plan.receives;
  return move?.symbol ?? '';
}

type MovedShares = Pick<Preview['plan']['pays'][number], 'mint' | 'decimals' | 'uiAmount'>;

/**
 * The position after a deposit or withdrawal that succeeds: shares in the wallet as simulated, all shares as planned. Shares
 * that are not in the wallet are staked.
 */
export function positionAfter(
  before: SharePosition,
  preview: Preview,
  action: VaultAction,
): SharePosition | undefined {
  const { pays, receives } = preview.plan;
  const [moved] = action === 'vault-deposit' ? receives : pays;
  if (!preview.success || moved === undefined || before.total === undefined) return undefined;
  const change = preview.tokenChanges.find(({ mint }) => mint === moved.mint)?.uiChange ?? '0';
  const unstaked = sum([before.unstaked, change]);
  const staked =
    action === 'vault-deposit'
      ? subtractDecimals(sum([before.total, moved.uiAmount]), unstaked)
      : stakedAfterWithdrawal(before, unstaked, preview);
  return { staked, unstaked, total: staked === undefined ? undefined : sum([staked, unstaked]) };
}

/** Undefined if shares leave the farm that no read counts: those that were unstaked earlier. */
function stakedAfterWithdrawal(
  before: SharePosition,
  unstaked: string,
  { plan }: Preview,
): string | undefined {
  const count = (step: string): number => plan.steps.filter(({ name }) => name === step).length;
  if (count('unstake') === 0) return before.staked;
  const [moved] = plan.pays;
  if (moved === undefined || before.total === undefined) return undefined;
  if (count('withdrawUnstakedDeposits') > 1) return undefined;
  // everything was requested, and more is unstaked than the reserves can pay out
  if (moved.certainty === 'at most') return '0';
  const staked = subtractDecimals(subtractDecimals(before.total, moved.uiAmount), unstaked);
  return isLessThanOneUnit(staked, moved) ? '0' : staked;
}

/** The farm counts parts of the smallest unit, which a full exit takes as well. */
const isLessThanOneUnit = (shares: string, { decimals }: MovedShares): boolean =>
  compareDecimals(shares, `1e-${decimals}`) < 0;

/** Whether the wallet has fewer tokens of a mint because they are staked: a deposit stakes the shares of the wallet too. */
export const isMovedToFarm = ({ plan, tokenChanges }: Preview, mint: string): boolean =>
  plan.steps.some(({ name }) => name === 'stake') &&
  plan.receives.some((move) => move.mint === mint) &&
  tokenChanges.some((each) => each.mint === mint && compareDecimals(each.uiChange, '0') < 0);

export type PositionContext = {
  readonly value: ShareValue;
  /** Of the vault’s token. */
  readonly symbol: string;
};

/** The figures of a position at several times, one column each. */
export function comparePositions(
  positions: readonly (SharePosition | undefined)[],
  { value, symbol }: PositionContext,
): ChangeRow[] {
  const rows = shareFigures.map((figure) => toChangeRow(figure, positions));
  const isChanged = rows[0]?.isChanged === true;
  const worth =
    (perShare: string) =>
    ({ total }: SharePosition) =>
      total === undefined ? undefined : multiplyDecimals(total, perShare);
  return [
    ...rows,
    ...[
      { ...tokenFigure(symbol), read: worth(value.tokensPerShare) },
      { ...dollarFigure, read: worth(value.sharePrice) },
    ].map((figure) => ({ ...toChangeRow(figure, positions), isChanged })),
  ];
}

const UNKNOWN = 'shares that were unstaked earlier are withdrawn too';

const formatShares: Figure<SharePosition>['format'] = (value) => formatAmount(value);

const shareFigures: readonly Figure<SharePosition>[] = [
  { name: 'Shares', read: ({ total }) => total, format: formatShares, reason: UNKNOWN },
  {
    name: 'Staked',
    hint: 'Shares in the farm of the vault, which earn its rewards',
    read: ({ staked }) => staked,
    format: formatShares,
    reason: UNKNOWN,
  },
  {
    name: 'In the wallet',
    hint: 'Shares that are not staked',
    read: ({ unstaked }) => unstaked,
    format: formatShares,
    reason: UNKNOWN,
  },
];

const tokenFigure = (symbol: string): Omit<Figure<SharePosition>, 'read'> => ({
  name: 'Worth in tokens',
  hint: 'All shares at the tokens per share of now',
  format: (value) => formatAmount(value, symbol),
  reason: UNKNOWN,
});

const dollarFigure: Omit<Figure<SharePosition>, 'read'> = {
  name: 'Value',
  hint: 'All shares at the share price of now',
  format: (value) => formatUsd(value),
  reason: UNKNOWN,
};
