import { marketAuthority, reserveAccounts, vaultAccounts } from '../bytes/derived-addresses.ts';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM, TOKEN_PROGRAMS } from '../bytes/programs.ts';
import type { ReserveData, VaultData } from '../chain/chain-data.ts';
import type { Call } from '../instructions/decode-calls.ts';
import {
  type AccountRule,
  type AccountRules,
  always,
  exactly,
  storedOnChain,
} from './account-rules.ts';
import type { VaultContext } from './vault-context.ts';

type Rule = AccountRule<VaultContext>;

const vault: Rule = exactly('WRONG_VAULT', (context) => context.vault);
const calledProgram: Rule = exactly('WRONG_ACCOUNT', ({ program }) => program);
const eventAuthority: Rule = exactly('WRONG_ACCOUNT', ({ program }) =>
  vaultAccounts.eventAuthority(program),
);

const ofVault = (
  derive: (program: string, vault: string) => string,
  pick: (data: VaultData) => string,
): Rule =>
  storedOnChain({
    code: 'WRONG_VAULT',
    value: ({ vaultData }) => vaultData && pick(vaultData),
    derived: (context) => [derive(context.program, context.vault)],
  });

const reserveData = ({ reserves }: VaultContext, { accounts }: Call): ReserveData | undefined =>
  reserves[accounts['reserve'] ?? ''];

const ofReserve = (
  derive: (program: string, ...addresses: readonly string[]) => string,
  pick: (data: ReserveData) => string,
): Rule =>
  storedOnChain({
    value: (context, call) => {
      const data = reserveData(context, call);
      return data && pick(data);
    },
    derived: ({ lendingProgram, mint }, { accounts }) => [
      derive(lendingProgram, accounts['reserve'] ?? ''),
      derive(lendingProgram, accounts['lendingMarket'] ?? '', mint),
    ],
  });

/** By the names that the instructions of the vault program use. */
export const vaultRules: AccountRules<VaultContext> = {
  user: exactly('WRONG_WALLET', ({ wallet }) => wallet),
  vaultState: vault,
  reserveVaultState: vault,
  globalConfig: exactly('WRONG_ACCOUNT', ({ program }) => vaultAccounts.globalConfig(program)),
  tokenVault: ofVault(vaultAccounts.tokenVault, (data) => data.tokenVault),
  baseVaultAuthority: ofVault(vaultAccounts.authority, (data) => data.authority),
  sharesMint: exactly('WRONG_VAULT', ({ sharesMint }) => sharesMint),
  tokenMint: storedOnChain({ value: ({ vaultData }) => vaultData?.tokenMint }),
  userTokenAta: exactly('WRONG_TOKEN_ACCOUNT', ({ tokenAccount }) => tokenAccount),
  userSharesAta: exactly('WRONG_TOKEN_ACCOUNT', ({ sharesAccount }) => sharesAccount),
  klendProgram: exactly('UNKNOWN_PROGRAM', ({ lendingProgram }) => lendingProgram),
  tokenProgram: storedOnChain({
    value: ({ vaultData }) => vaultData?.tokenProgram,
    derived: () => TOKEN_PROGRAMS,
  }),
  sharesTokenProgram: always(TOKEN_PROGRAM),
  eventAuthority,
  outerEventAuthority: eventAuthority,
  program: calledProgram,
  outerProgram: calledProgram,
  reserve: (context, { remaining }) => ({
    code: 'WRONG_RESERVE',
    // the program compares the list with the allocations of the vault
    accounts:
      context.vaultData?.allocations.map(({ reserve }) => reserve) ??
      remaining.slice(0, remaining.length / 2),
  }),
  ctokenVault: storedOnChain({
    value: ({ vaultData }, { accounts }) =>
      vaultData?.allocations.find(({ reserve }) => reserve === accounts['reserve'])?.ctokenVault,
    derived: (context, { accounts }) => [
      vaultAccounts.ctokenVault(context.program, context.vault, accounts['reserve'] ?? ''),
    ],
  }),
  lendingMarket: (context, call) => ({
    code: 'WRONG_MARKET',
    accounts: [marketOf(context, call)],
  }),
  lendingMarketAuthority: exactly('WRONG_MARKET', ({ lendingProgram }, { accounts }) =>
    marketAuthority(lendingProgram, accounts['lendingMarket'] ?? ''),
  ),
  reserveLiquiditySupply: ofReserve(reserveAccounts.liquiditySupply, (data) => data.supplyVault),
  reserveCollateralMint: ofReserve(reserveAccounts.collateralMint, (data) => data.collateralMint),
  reserveCollateralTokenProgram: always(TOKEN_PROGRAM),
  instructionSysvarAccount: always(INSTRUCTIONS_SYSVAR),
};

/** From the chain data, otherwise the market that the list has for the reserve. */
function marketOf(context: VaultContext, call: Call): string | undefined {
  const known = reserveData(context, call)?.market;
  if (known !== undefined) return known;
  const half = Math.floor(call.remaining.length / 2);
  const index = call.remaining.indexOf(call.accounts['reserve'] ?? '');
  return index < 0 || index >= half ? undefined : call.remaining[half + index];
}

/** The last account must be the permissioning authority, if the vault has one. Returns the accounts before it. */
function checkCoSigner(call: Call, context: VaultContext): readonly string[] {
  const { remaining } = call;
  const authority = context.vaultData?.permissioningAuthority ?? undefined;
  if (authority === undefined) return remaining;
  const { findings } = context;
  if (remaining.length % 2 === 0) {
    findings.add('WRONG_ACCOUNT_COUNT', `The vault needs the signature of ${authority}.`, call);
    return remaining;
  }
  const last = remaining.at(-1);
  if (last !== authority) {
    findings.add('WRONG_ACCOUNT', `${last} signs instead of ${authority}.`, call);
  }
  return remaining.slice(0, -1);
}

/** Checks the reserves and markets that every instruction of a vault lists, and who must sign besides the wallet. */
export function checkListedAccounts(call: Call, context: VaultContext): void {
  const { findings, vaultData, ownAccounts, reserves } = context;
  const remaining = checkCoSigner(call, context);
  const half = remaining.length / 2;
  if (!Number.isInteger(half)) {
    findings.add('WRONG_ACCOUNT_COUNT', 'The vault lists a reserve without its market.', call);
    return;
  }
  const own = remaining.find((address) => ownAccounts.has(address));
  if (own !== undefined) {
    findings.add('WRONG_ACCOUNT', `The vault lists ${own}, an account of the wallet.`, call);
  }
  if (vaultData === undefined) return;
  const listed = vaultData.allocations.map(({ reserve }) => reserve);
  if (remaining.slice(0, half).join() !== listed.join()) {
    findings.add('WRONG_RESERVE', 'The listed reserves are not those of the vault.', call);
  }
  listed.forEach((reserve, i) => {
    const market = reserves[reserve]?.market;
    if (market !== undefined && remaining[half + i] !== market) {
      findings.add('WRONG_MARKET', `The market of the reserve ${reserve} is another one.`, call);
    }
  });
}
