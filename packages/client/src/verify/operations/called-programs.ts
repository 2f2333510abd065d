import { FARMS_PROGRAM, KLEND_PROGRAMS, KVAULT_PROGRAMS } from '../bytes/programs.ts';
import type { ChainData } from '../chain/chain-data.ts';
import type { Call } from '../instructions/decode-calls.ts';
import {
  isLeverageRequest,
  isLiquidationRequest,
  type VerifiableRequest,
} from '../verifiable-request.ts';
import type { Findings } from './findings.ts';

/** The deployments that a request is for. */
export type CalledPrograms = { readonly klend: string; readonly kvault: string };

const [KLEND_MAINNET = ''] = KLEND_PROGRAMS;
const [KVAULT_MAINNET = ''] = KVAULT_PROGRAMS;

/**
 * The owners of the accounts in the chain data. Without chain data those that the request states, and otherwise those of
 * mainnet: another deployment may be code of somebody else, and the wallet would sign for it.
 */
export function calledPrograms(request: VerifiableRequest, chainData: ChainData): CalledPrograms {
  const { klend = KLEND_MAINNET, kvault = KVAULT_MAINNET } = request.programs ?? {};
  return {
    klend: lendingOwners(request, chainData)[0] ?? klend,
    kvault: chainData.vault?.program ?? kvault,
  };
}

/** Checks the program of each call, and that the chain data does not contradict the request or itself. */
export function checkPrograms(
  calls: readonly Call[],
  { request, chainData, findings }: ProgramInput,
): void {
  const programs = calledPrograms(request, chainData);
  const { klend, kvault } = request.programs ?? {};
  const owners = new Set(lendingOwners(request, chainData));
  const isOther = (stated: string | undefined, used: string) =>
    stated !== undefined && stated !== used;
  if (owners.size > 1 || isOther(klend, programs.klend) || isOther(kvault, programs.kvault)) {
    const message = 'The accounts of the chain data are owned by other programs than requested.';
    findings.add('UNKNOWN_PROGRAM', message);
  }
  const farms = Object.values(chainData.farms ?? {});
  for (const call of calls) {
    const { program } = call.spec;
    if (program === 'farms' && farms.some((farm) => farm.program !== FARMS_PROGRAM)) {
      findings.add('UNKNOWN_PROGRAM', 'A farm is owned by another farms program.', call);
    }
    if (program !== 'klend' && program !== 'kvault') continue;
    if (call.program === programs[program]) continue;
    const message = `${call.spec.name} is of the program ${call.program} instead of ${programs[program]}.`;
    findings.add('UNKNOWN_PROGRAM', message, call);
  }
}

type ProgramInput = {
  readonly request: VerifiableRequest;
  readonly chainData: ChainData;
  readonly findings: Findings;
};

/** Owners of the loan and of the reserves that a request is about, as far as the chain data has them. */
function lendingOwners(request: VerifiableRequest, { reserves = {}, vault, loan }: ChainData) {
  const addresses =
    'kvault' in request && request.kvault !== undefined
      ? (vault?.allocations ?? []).map(({ reserve }) => reserve)
      : [...reservesOf(request), ...(loan?.deposits ?? []), ...(loan?.borrows ?? [])];
  const owners = addresses.flatMap((address) => reserves[address]?.program ?? []);
  const isOfLoan = !('kvault' in request) && loan !== undefined && loan !== null;
  return isOfLoan ? [...owners, loan.program] : owners;
}

function reservesOf(request: VerifiableRequest): readonly string[] {
  if (isLiquidationRequest(request)) return [request.repayReserve, request.withdrawReserve];
  if (isLeverageRequest(request)) return [request.collateralReserve, request.debtReserve];
  return 'reserve' in request && request.reserve !== undefined ? [request.reserve] : [];
}
