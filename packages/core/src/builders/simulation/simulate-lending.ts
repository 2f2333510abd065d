import { CodedError, hasCode } from '../../base/errors.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import { klendRefuses } from '../../protocol/klend/errors.ts';
import { borrow } from '../../protocol/klend/operations/borrow.ts';
import { deposit } from '../../protocol/klend/operations/deposit.ts';
import { OBSOLETE, type Position } from '../../protocol/klend/operations/position.ts';
import { repay } from '../../protocol/klend/operations/repay.ts';
import { withdraw } from '../../protocol/klend/operations/withdraw.ts';
import { mint as mintLayout } from '../../protocol/spl/layout/mint.ts';
import { unsupportedExtensions } from '../../protocol/spl/unsupported-extensions.ts';
import type { Builder, Scene } from '../build.ts';
import { lendBorrow } from '../lending/borrow-builder.ts';
import { lendDeposit } from '../lending/deposit-builder.ts';
import { lendingPlace } from '../lending/lending-action-context.ts';
import { collateralFor, wrappedForDebt } from '../lending/lending-amounts.ts';
import { type LendingPosition, readPosition } from '../lending/lending-position.ts';
import {
  amountOrMax,
  type LendingIntent,
  type LendingRequest,
} from '../lending/lending-request.ts';
import { lendRepay } from '../lending/repay-builder.ts';
import { lendWithdraw } from '../lending/withdraw-builder.ts';
import type { Plan } from '../plan.ts';
import { heldToken, isWrappedSol } from '../wallet/token-accounts.ts';
import { type LendingModel, lendingModel, refreshedAfter } from './lending-model.ts';
import { failureOf, requireLamports, requireTokens } from './program-rejections.ts';
import type { Forecast, ForecastFailure, LoanForecast } from './simulation-outcome.ts';
import { walletChanges } from './wallet-changes.ts';

/** Of the framework that the lending program is written with. */
const ACCOUNT_NOT_INITIALIZED = 3012;

const builders: Readonly<Record<LendingIntent, Builder<LendingRequest>>> = {
  deposit: lendDeposit,
  borrow: lendBorrow,
  repay: lendRepay,
  withdraw: lendWithdraw,
};

/**
 * What the lending program would do with a build at the state's slot. Throws where there is nothing to build, as the
 * builder does. Prices are those of the oracle that state follows; keepers may bring newer ones before it lands.
 */
export function forecastLending(
  intent: LendingIntent,
  request: LendingRequest,
  scene: Scene,
): Forecast {
  const { plan } = builders[intent].build(request, scene);
  const position = readPosition(lendingPlace(intent, request, scene.state), scene);
  const asked = { position, plan, scene, amount: amountOrMax(request) };
  try {
    return forecastFrom(asked, lendingModel(position, scene.state));
  } catch (error) {
    return failed(error);
  }
}

/** `amount`: all of 64 bits for everything. */
type Asked = {
  readonly position: LendingPosition;
  readonly plan: Plan;
  readonly scene: Scene;
  readonly amount: bigint;
};

function forecastFrom(asked: Asked, model: LendingModel): Forecast {
  const { position } = asked;
  const before = position.loan === undefined ? undefined : model.before.obligation;
  try {
    requireSetup(asked);
    const done = operations[position.intent](model, asked);
    requirePayment(asked, done);
    const { obligation, reserves } = refreshedAfter(done, model.terms);
    const loan = { before, after: done.closes ? undefined : obligation, reservesAfter: reserves };
    return { failure: undefined, ...changesOf(asked, done), loan };
  } catch (error) {
    return failed(error, { before, after: undefined, reservesAfter: new Map() });
  }
}

function changesOf(asked: Asked, done: Done): Pick<Forecast, 'tokens' | 'lamports'> {
  const { position, plan, scene } = asked;
  const { token, decimals, loan } = position;
  const wrapped = wrappedBy(asked);
  const added = wrapped + done.received - done.paid;
  const moved = [{ token: { ...token, decimals }, added }];
  const { tokens, lamports } = walletChanges({ plan, moved, wrapped }, scene);
  const refund = done.closes ? (loan?.account.lamports ?? 0n) : 0n;
  return { tokens, lamports: lamports + refund };
}

const failed = (error: unknown, loan?: LoanForecast): Forecast => ({
  failure: lendingFailure(error),
  tokens: [],
  lamports: 0n,
  loan,
});

function lendingFailure(error: unknown): ForecastFailure {
  const isOverflow = hasCode(error, 'MATH_OVERFLOW') || hasCode(error, 'DIVISION_BY_ZERO');
  return failureOf(isOverflow ? klendRefuses('MathOverflow', 'the amount is too large') : error);
}

/** What happens before the action is reached. */
function requireSetup(asked: Asked): void {
  const { position, plan, scene } = asked;
  const { wallet, reserve, farm, hasFarmUser, intent, token } = position;
  const has = scene.accounts.get(wallet)?.lamports ?? 0n;
  requireLamports({ has, needs: plan.rentLamports + wrappedBy(asked) });
  if (farm !== undefined && !hasFarmUser && reserve.fields.config.status === OBSOLETE) {
    throw klendRefuses('ReserveObsolete', 'its farm takes no new accounts');
  }
  const isCreated = intent !== 'repay' || isWrappedSol(token);
  if (!isCreated && heldToken(token, scene) === undefined) {
    const { code, name } = { code: ACCOUNT_NOT_INITIALIZED, name: 'AccountNotInitialized' };
    const reason = `the wallet has no account for ${token.label}`;
    throw new CodedError('PROGRAM_REFUSES', { program: 'klend', code, name, reason });
  }
  const mint = scene.accounts.get(token.mint);
  if (mint !== undefined && unsupportedExtensions(mintLayout.decode(mint)).length > 0) {
    throw klendRefuses('UnsupportedTokenExtension', `${token.label} has one`);
  }
}

function requirePayment(asked: Asked, { paid }: Done): void {
  const { token } = asked.position;
  const held = heldToken(token, asked.scene)?.amount ?? 0n;
  requireTokens({ has: held + wrappedBy(asked), needs: paid }, token.tokenProgram);
}

function wrappedBy({ position, scene, amount }: Asked): bigint {
  const { intent, token } = position;
  const goesIn = intent === 'deposit' || intent === 'repay';
  if (!goesIn || !isWrappedSol(token)) return 0n;
  return amount === U64_MAX ? wrappedForDebt(position, scene) : amount;
}

/** Of tokens, in smallest units. */
type Done = Position & {
  readonly paid: bigint;
  readonly received: bigint;
  readonly closes: boolean;
};

type Operation = (model: LendingModel, asked: Asked) => Done;

const operations: Readonly<Record<LendingIntent, Operation>> = {
  deposit({ before, terms }, { position, amount }) {
    const done = deposit(before, terms, { reserve: position.reserve.address, amount });
    return { ...done, paid: done.liquidity, received: 0n, closes: false };
  },
  borrow({ before, terms }, { position, amount }) {
    const done = borrow(before, terms, { reserve: position.reserve.address, amount });
    return { ...done, paid: 0n, closes: false };
  },
  repay({ before, terms }, { position, amount }) {
    const done = repay(before, terms, { reserve: position.reserve.address, amount });
    return { ...done, paid: done.repaid, received: 0n, closes: false };
  },
  withdraw({ before, terms }, { position, amount, scene }) {
    const collateral = amount === U64_MAX ? U64_MAX : collateralFor(position, scene, amount);
    const reserve = position.reserve.address;
    const done = withdraw(before, terms, { reserve, collateral, limit: 'max ltv' });
    return { ...done, paid: 0n, received: done.liquidity };
  },
};
