import { type Address, bytesToText, ZERO_ADDRESS } from '@tidegate/core/base';
import { marketName, selectListedReserves } from '@tidegate/core/views/lending';
import { findKnownProgram } from '@tidegate/core/views/transactions';
import { vaultName } from '@tidegate/core/views/vaults';
import type { Static } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { TokenCatalogueSource } from '../../registry/token-catalogue.ts';
import { readFarmPurposes } from '../../support/pricing/farm-purposes.ts';
import type { AddressIdentity } from './schema.ts';

type Role = Static<typeof AddressIdentity>['roles'][number];

type Source = Pick<Cluster, 'reader' | 'registry'> & { readonly tokens: TokenCatalogueSource };

/** Roles of an address in the state of a cluster; none if the state has neither an account nor a position of it. */
export function listAddressRoles(
  address: Address,
  { reader, registry }: Cluster,
  tokens: TokenCatalogueSource,
): Role[] {
  const source = { reader, registry, tokens };
  return [
    marketRole,
    reserveRole,
    loanRole,
    vaultRole,
    farmRole,
    stakeRole,
    ticketRole,
    tokenRole,
    shareMintRole,
    reservePartRole,
    vaultPartRole,
    otherRole,
    walletRole,
  ].flatMap((find) => find(address, source) ?? []);
}

function marketRole(address: Address, { reader, registry }: Source): Role | undefined {
  const market = reader.market(address);
  if (market === undefined) return undefined;
  return { role: 'market', name: registry.market(address)?.name ?? marketName(market.fields) };
}

function reserveRole(address: Address, { reader }: Source): Role | undefined {
  const fields = reader.reserve(address)?.fields;
  if (fields === undefined) return undefined;
  const { lendingMarket: market, liquidity } = fields;
  return { role: 'reserve', name: symbolOf(fields), market, mint: liquidity.mintPubkey };
}

function loanRole(address: Address, { reader }: Source): Role | undefined {
  const fields = reader.obligation(address)?.fields;
  return fields && { role: 'loan', name: '', market: fields.lendingMarket, owner: fields.owner };
}

function vaultRole(address: Address, { reader }: Source): Role | undefined {
  const fields = reader.vault(address)?.fields;
  if (fields === undefined) return undefined;
  const { tokenMint: mint, vaultFarm: farm } = fields;
  const role: Role = { role: 'vault', name: vaultName(fields), mint };
  return farm === ZERO_ADDRESS ? role : { ...role, farm };
}

function farmRole(address: Address, source: Source): Role | undefined {
  if (source.reader.farm(address) === undefined) return undefined;
  return { role: 'farm', name: '', ...farmTarget(address, source) };
}

function stakeRole(address: Address, source: Source): Role | undefined {
  const fields = source.reader.farmUserAt(address)?.fields;
  if (fields === undefined) return undefined;
  const { owner, farmState: farm } = fields;
  return { role: 'stake', name: '', ...farmTarget(farm, source), owner, farm };
}

/** What is staked in a farm. */
function farmTarget(farm: Address, { reader }: Source): Partial<Role> {
  const purpose = readFarmPurposes(reader).get(farm);
  if (purpose === undefined || purpose.kind === 'token') return {};
  if (purpose.kind === 'vault') {
    return { name: vaultName(purpose.vault.fields), vault: purpose.vault.address };
  }
  const { address: reserve, fields } = purpose.reserve;
  return { name: symbolOf(fields), reserve, market: fields.lendingMarket };
}

function ticketRole(address: Address, source: Source): Role | undefined {
  for (const reserve of allReserves(source)) {
    const tickets = source.reader.withdrawTicketsIn(reserve.address);
    const ticket = tickets.find((each) => each.address === address);
    if (ticket === undefined) continue;
    const { owner } = ticket.fields;
    return { role: 'withdrawTicket', ...partOf(reserve), owner };
  }
  return undefined;
}

function tokenRole(mint: Address, source: Source): Role | undefined {
  const reserves = allReserves(source).filter(({ fields }) => fields.liquidity.mintPubkey === mint);
  const vaults = source.reader.vaults().filter(({ fields }) => fields.tokenMint === mint);
  const listed = source.tokens.catalogue()?.find({ limit: 1, mint })[0];
  const [first] = reserves;
  if (first === undefined && vaults.length === 0 && listed === undefined) return undefined;
  return {
    role: 'token',
    name: listed?.symbol ?? (first === undefined ? '' : symbolOf(first.fields)),
    mint,
    reserves: reserves.map(({ address }) => address),
    vaults: vaults.map(({ address }) => address),
  };
}

function shareMintRole(address: Address, { reader }: Source): Role | undefined {
  const vault = reader.vaultOfShares(address);
  return vault && { role: 'shareMint', name: vaultName(vault.fields), vault: vault.address };
}

/** The mint of the cTokens of a reserve, and its token accounts. */
function reservePartRole(address: Address, source: Source): Role | undefined {
  for (const reserve of allReserves(source)) {
    const { liquidity, collateral } = reserve.fields;
    if (collateral.mintPubkey === address) return { role: 'collateralMint', ...partOf(reserve) };
    const accounts = [liquidity.supplyVault, liquidity.feeVault, collateral.supplyVault];
    if (accounts.includes(address)) return { role: 'tokenAccount', ...partOf(reserve) };
  }
  return undefined;
}

function vaultPartRole(address: Address, { reader }: Source): Role | undefined {
  const vault = reader.vaults().find(({ fields }) => fields.tokenVault === address);
  return vault && { role: 'tokenAccount', name: vaultName(vault.fields), vault: vault.address };
}

function otherRole(address: Address, { reader }: Source): Role | undefined {
  const program = findKnownProgram(address);
  if (program !== undefined) return { role: 'program', name: program.name };
  if (reader.lookupTable(address) !== undefined) return { role: 'lookupTable', name: '' };
  return reader.prices(address) && { role: 'prices', name: '' };
}

function walletRole(address: Address, { reader }: Source): Role | undefined {
  const positions = {
    loans: reader.obligationsOf(address).length,
    shares: reader
      .vaults()
      .filter(({ fields }) => reader.shareBalance(fields.sharesMint, address) > 0n).length,
    stakes: reader.farmUsersOf(address).length,
    withdrawTickets: reader.withdrawTicketsOf(address).length,
  };
  const isOwner = Object.values(positions).some((each) => each > 0);
  return isOwner ? { role: 'wallet', name: '', ...positions } : undefined;
}

type Reserve = ReturnType<Cluster['reader']['reservesOf']>[number];

/** Those of listed markets first. */
function allReserves({ reader, registry }: Source): Reserve[] {
  const listed = selectListedReserves({ reader, registry }).map(({ address }) => address);
  const others = reader.markets().flatMap(({ address }) => reader.reservesOf(address));
  const ordered = new Set([...listed, ...others.map(({ address }) => address)]);
  return [...ordered].flatMap((address) => reader.reserve(address) ?? []);
}

const partOf = ({ address: reserve, fields }: Reserve) => ({
  name: symbolOf(fields),
  reserve,
  market: fields.lendingMarket,
});

const symbolOf = ({ config }: Reserve['fields']): string => bytesToText(config.tokenInfo.name);
