import {
  farmAccounts,
  possibleLoans,
  tokenAccountOf,
  vaultAccounts,
} from '../bytes/derived-addresses.ts';
import { KLEND_PROGRAMS, TOKEN_PROGRAM } from '../bytes/programs.ts';
import { leveragedLoan } from '../operations/requested-loan.ts';
import {
  type ClaimRequest,
  isClaimRequest,
  isLeverageRequest,
  isLiquidationRequest,
  isLoanExitRequest,
  isVaultDepositRequest,
  isVaultExitRequest,
  isVaultWithdrawRequest,
  type LendingRequest,
  type LeverageRequest,
  type LiquidationRequest,
  type LoanExitRequest,
  type VerifiableRequest,
} from '../verifiable-request.ts';
import type { ChainData, FarmData, LoanData, ReserveData } from './chain-data.ts';
import {
  decodeFarm,
  decodeLoan,
  decodeReserve,
  decodeShares,
  decodeVault,
  withGlobalPenalty,
} from './decode-accounts.ts';
import { type ReadAccount, type ReadOptions, readAccounts } from './read-accounts.ts';

type Read = (addresses: readonly string[]) => Promise<ReadonlyMap<string, ReadAccount>>;

/**
 * Reads what the verifier wants to know about a request from a node that you trust: the reserve with the reserves of the
 * loan, or the vault with its reserves, and their farms. Takes two or three calls.
 */
export async function readChainData(
  rpcUrl: string,
  request: VerifiableRequest,
  options: ReadOptions = {},
): Promise<ChainData> {
  // what the server built on is newer than what is finalized
  const read: Read = (addresses) =>
    readAccounts(rpcUrl, addresses, { commitment: 'confirmed', ...options });
  const isOfVault =
    isVaultDepositRequest(request) ||
    isVaultWithdrawRequest(request) ||
    isVaultExitRequest(request);
  if (isOfVault) {
    return vaultChainData(request.kvault, request.wallet, read);
  }
  const kvault = isClaimRequest(request) ? request.kvault : undefined;
  return kvault === undefined
    ? lendingData(request, read)
    : vaultChainData(kvault, request.wallet, read);
}

async function vaultChainData(address: string, wallet: string, read: Read): Promise<ChainData> {
  const stored = decodeVault((await read([address])).get(address));
  if (stored === undefined) return {};
  const globalConfig = vaultAccounts.globalConfig(stored.program);
  const reserveAddresses = stored.allocations.map(({ reserve }) => reserve);
  const tokens = tokenAccountOf(wallet, stored.sharesMint, TOKEN_PROGRAM);
  const stake = stored.farm === null ? tokens : farmAccounts.userState(stored.farm, wallet);
  const accounts = await read([globalConfig, ...reserveAddresses, tokens, stake]);
  const vault = withGlobalPenalty(stored, accounts.get(globalConfig));
  const reserves = decodeAll(reserveAddresses, accounts, decodeReserve);
  const supplyFarms = Object.values(reserves).map(({ farmCollateral }) => farmCollateral);
  return {
    vault,
    shares: decodeShares(accounts.get(tokens), accounts.get(stake)),
    reserves,
    farms: await readFarms([vault.farm, ...supplyFarms], read),
  };
}

type LendingFields =
  | LiquidationRequest
  | LendingRequest
  | LeverageRequest
  | LoanExitRequest
  | ClaimRequest;

async function lendingData(request: LendingFields, read: Read): Promise<ChainData> {
  const named = reservesOf(request);
  // the address of some loans depends on the tokens of their reserves
  const first = isKindOfLoan(request) ? decodeAll(named, await read(named), decodeReserve) : {};
  const loans = loansOf(request, first);
  const accounts = await read(loans);
  const [loan = null] = loans.flatMap((address): LoanData[] => {
    const decoded = decodeLoan(accounts.get(address));
    return decoded === undefined ? [] : [decoded];
  });
  const positions = [...(loan?.deposits ?? []), ...(loan?.borrows ?? [])];
  const reserveAddresses = [...named, ...positions];
  const reserves = decodeAll(reserveAddresses, await read(reserveAddresses), decodeReserve);
  const farmAddresses = Object.values(reserves).flatMap(({ farmCollateral, farmDebt }) => [
    farmCollateral,
    farmDebt,
  ]);
  return { loan, reserves, farms: await readFarms(farmAddresses, read) };
}

const isKindOfLoan = (request: LendingFields): boolean =>
  isLeverageRequest(request) && leveragedLoan(request, {}) === undefined;

/** Which program owns the market is not in a request, unless it states it. */
function loansOf(
  request: LendingFields,
  reserves: Readonly<Record<string, ReserveData>>,
): readonly string[] {
  if (isLiquidationRequest(request)) return [request.loan];
  const { klend } = request.programs ?? {};
  const programs = klend === undefined ? KLEND_PROGRAMS : [klend];
  if (!isLeverageRequest(request)) return possibleLoans(request, programs);
  const loan = leveragedLoan(request, { reserves });
  const { wallet, market } = request;
  return loan === undefined ? [] : possibleLoans({ wallet, market, loan }, programs);
}

function reservesOf(request: LendingFields): readonly string[] {
  if (isLiquidationRequest(request)) return [request.repayReserve, request.withdrawReserve];
  if (isLeverageRequest(request)) return [request.collateralReserve, request.debtReserve];
  if (isLoanExitRequest(request)) return [];
  return request.reserve === undefined ? [] : [request.reserve];
}

async function readFarms(
  addresses: readonly (string | null)[],
  read: Read,
): Promise<Record<string, FarmData>> {
  const farms = addresses.filter((address) => address !== null);
  return decodeAll(farms, await read(farms), decodeFarm);
}

function decodeAll<Data>(
  addresses: readonly string[],
  accounts: ReadonlyMap<string, ReadAccount>,
  decode: (account: ReadAccount | undefined) => Data | undefined,
): Record<string, Data> {
  const decoded: Record<string, Data> = {};
  for (const address of addresses) {
    const data = decode(accounts.get(address));
    if (data !== undefined) decoded[address] = data;
  }
  return decoded;
}
