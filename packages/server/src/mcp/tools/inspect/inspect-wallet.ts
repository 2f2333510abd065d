import { divRatioOrZero, quoteName, untrustedName, untrustedSymbol } from '@tidegate/core/base';
import type { AnswerData } from '../../answer/answer.ts';
import { percent, short, shortRatio, sum, toRatio, usd } from '../../answer/figures.ts';
import type { ApiReading } from '../../api/api-reading.ts';
import { tokenSymbols } from '../../api/catalogue.ts';
import {
  ClaimableRewards,
  type LoanPositionRow,
  WalletPortfolio,
  type WalletPositionRows,
} from '../../api/position-schemas.ts';
import type { Inspection } from './inspection.ts';

type VaultPositionRow = WalletPositionRows['earn'][number];

/** Everything that a wallet has in the programs. Other tokens of the wallet are not known to the API. */
export async function inspectWallet(wallet: string, reading: ApiReading): Promise<Inspection> {
  const [positions, rewards, symbols] = await Promise.all([
    reading.get(WalletPortfolio, `/portfolio/${wallet}`),
    reading.get(ClaimableRewards, `/portfolio/${wallet}/rewards`),
    tokenSymbols(reading),
  ]);
  const loans = [...positions.lending, ...positions.multiply, ...positions.leverage];
  const vaults = [...positions.earn, ...positions.privateCredit];
  const others = [...positions.staking, ...(positions.ctokens ?? [])];
  const claimable = rewards.farms.flatMap((farm) =>
    farm.rewards.map(({ mint, amount }) => ({
      amount,
      untrustedSymbol: untrustedName(symbols.get(mint) ?? mint),
      position: farm.positionType,
    })),
  );
  const values = [...loans.map((loan) => loan.netValue), ...vaults.map((each) => each.netValue)];
  const known = values.filter((value) => value !== null);
  const unknown = values.length - known.length;
  return {
    lines: [
      `Wallet ${wallet}: ${loans.length} loans and ${vaults.length} vault positions, together worth ${shortRatio(sum(known))} USD net${unknown === 0 ? '' : `, without ${unknown} whose price is unknown`}.`,
      ...sectionProblems(positions),
      ...loans.map(loanLine),
      ...vaults.map(vaultLine),
      ...claimable.map(
        ({ amount, untrustedSymbol }) =>
          `Can claim ${short(amount)} ${untrustedSymbol} of farm rewards.`,
      ),
    ],
    data: {
      wallet,
      loans: loans.map(loanData),
      vaults: vaults.map(vaultData),
      otherPositions: others.map(({ symbol, amount, value }) => ({
        untrustedSymbol: untrustedName(symbol),
        amount: short(amount),
        valueUsd: value === null ? null : short(value),
      })),
      claimableRewards: claimable.map((each) => ({ ...each, amount: short(each.amount) })),
    },
    next:
      loans.length > 0 ? ['Call inspect or explain with the address of a loan for details.'] : [],
  };
}

/** A section that is incomplete must not look empty. */
const sectionProblems = ({ sections }: WalletPositionRows): string[] =>
  Object.entries(sections).flatMap(([name, { errors = [] }]) =>
    errors.length === 0
      ? []
      : [`The section ${name} is incomplete: ${errors.map(({ code }) => code).join(', ')}.`],
  );

/** Liquidation LTV divided by LTV, or undefined without a debt or a price. */
function healthOf({ ltv, liquidationLtv }: LoanPositionRow): string | undefined {
  if (ltv === null || liquidationLtv === null || ltv === '0') return undefined;
  return shortRatio(divRatioOrZero(toRatio(liquidationLtv), toRatio(ltv)));
}

function loanLine(loan: LoanPositionRow): string {
  const health = healthOf(loan);
  const risk =
    health === undefined
      ? 'no debt or no price'
      : `loan-to-value ${percent(loan.ltv ?? '0')} of at most ${percent(loan.liquidationLtv ?? '0')}, health ${health}`;
  return `Loan ${loan.obligation} (${loan.tag}): deposits ${usd(loan.totalDepositValue)}, debts ${usd(loan.totalBorrowValue)}, ${risk}.`;
}

const loanData = (loan: LoanPositionRow): AnswerData => ({
  loan: loan.obligation,
  market: loan.market,
  tag: loan.tag,
  netValueUsd: loan.netValue === null ? null : short(loan.netValue),
  ltv: loan.ltv === null ? null : short(loan.ltv),
  liquidationLtv: loan.liquidationLtv === null ? null : short(loan.liquidationLtv),
  health: healthOf(loan) ?? null,
  deposits: loan.deposits.map(amountOf),
  debts: loan.borrows.map(amountOf),
});

const amountOf = ({ symbol, amount }: { symbol: string; amount: string }): string =>
  `${short(amount)} ${untrustedSymbol(symbol)}`;

const vaultLine = ({ vault, name, symbol, amount, netValue }: VaultPositionRow): string =>
  `Vault ${quoteName(name)} at ${vault}: shares worth ${short(amount)} ${untrustedSymbol(symbol)}, ${usd(netValue)}.`;

const vaultData = ({ vault, name, symbol, shares, amount, netValue }: VaultPositionRow) => ({
  vault,
  untrustedName: untrustedName(name),
  untrustedSymbol: untrustedName(symbol),
  shares,
  tokens: short(amount),
  valueUsd: netValue === null ? null : short(netValue),
});
