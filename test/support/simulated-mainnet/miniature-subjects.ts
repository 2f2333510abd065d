import type { Address } from '#core/base/encoding/address.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import type { Subject } from '../day-one/operation-requests.ts';
import type { SimulatedMainnet } from './simulated-mainnet.ts';

/** Wallets that act while the cluster runs. */
const ACTIVE_WALLETS = [12, 30, 60, 80, 90];

/** What requests are made of: the demo wallet, wallets that act, and a generated one, each with its loan. */
export function listMiniatureSubjects(mainnet: SimulatedMainnet): readonly Subject[] {
  const { simulated, generated } = mainnet;
  const { demo, wallets, vaults } = simulated.metadata;
  const vaultSubjects = vaults.flatMap(({ address }) => vaultSubject(mainnet, address));
  const active = ACTIVE_WALLETS.flatMap((index) => wallets[index] ?? []).map((wallet) => ({
    wallet,
    obligation: loanOf(mainnet, wallet) ?? demo.obligation,
  }));
  const all = [
    { wallet: demo.wallet, obligation: demo.obligation },
    { wallet: generated.walletOf(0), obligation: generated.addressOf(0) },
    ...active,
  ];
  return all.flatMap((each, i) => {
    const vault = vaultSubjects[i % vaultSubjects.length];
    const { market, deposit } = demo;
    return vault === undefined ? [] : [{ ...each, ...vault, market, reserve: deposit.reserve }];
  });
}

function vaultSubject({ localnet }: SimulatedMainnet, vault: Address) {
  const account = localnet.bank.account(vault);
  if (account === undefined) return [];
  const { sharesMint, vaultFarm: farm, sharesIssued } = vaultState.decode(account);
  return sharesIssued === 0n ? [] : [{ vault, sharesMint, farm }];
}

function loanOf({ localnet }: SimulatedMainnet, wallet: Address): Address | undefined {
  for (const { address, account } of localnet.bank.accounts()) {
    if (obligation.matches(account) && obligation.view(account).owner === wallet) return address;
  }
  return undefined;
}
