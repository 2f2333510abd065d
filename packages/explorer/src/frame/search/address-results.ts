import type { ResponseOf } from '@tidegate/client';
import { shortenAddress } from '../../format/address.ts';
import { pathOf } from '../../routing/match-path.ts';
import type { NamedResult, Names } from './named-results.ts';

export type AddressIdentity = ResponseOf<'GET /addresses/{pubkey}'>;
type Role = AddressIdentity['roles'][number];

/** A page for each role of an address. What the server does not know is offered as a wallet. */
export function findRoles(
  { address, roles }: AddressIdentity,
  names: Names | undefined,
): NamedResult[] {
  if (roles.length === 0) return [unknownAddress(address, 'unknown to this server')];
  const rows = roles.flatMap((role) => rowsOf(address, role, names));
  return [...new Map(rows.map((row) => [`${row.kind} ${row.path}`, row])).values()];
}

/** For an address whose roles cannot be read. */
export const unknownAddress = (address: string, reason: string): NamedResult => ({
  kind: 'Wallet',
  title: address,
  note: reason,
  path: pathOf('wallet', { wallet: address }) ?? '/',
});

function rowsOf(address: string, role: Role, names: Names | undefined): NamedResult[] {
  const { name, owner } = role;
  const row = (kind: string, note: string, path: string | undefined) =>
    path === undefined ? [] : [{ kind, title: name || address, note, path }];
  switch (role.role) {
    case 'market':
      return row('Market', '', pathOf('market', { market: address }));
    case 'reserve':
      return row('Reserve', marketNote(role, names), pathOf('reserve', { reserve: address }));
    case 'loan':
      return row('Loan', ownerNote(owner), pathOf('loan', { loan: address }));
    case 'vault':
      return row('Vault', '', pathOf('vault', { vault: address }));
    case 'wallet':
      return row('Wallet', positionsNote(role), pathOf('wallet', { wallet: address }));
    case 'stake':
      return row('Stake', ownerNote(owner), walletPath(owner));
    case 'withdrawTicket':
      return row('Queued withdrawal', ownerNote(owner), walletPath(owner));
    case 'token':
      return tokenRows(role, names);
    case 'farm':
      return row('Farm', marketNote(role, names), partPath(role) ?? answerPath(address));
    case 'collateralMint':
      return row('cToken', marketNote(role, names), partPath(role));
    case 'shareMint':
      return row('Share token', '', partPath(role));
    case 'tokenAccount':
      return row('Token account', marketNote(role, names), partPath(role));
    case 'program':
      return row('Program', 'releases and upgrades', pathOf('status'));
    case 'lookupTable':
      return row('Lookup table', '', answerPath(address));
    case 'prices':
      return row('Oracle prices', '', answerPath(address));
  }
}

/** A page for each reserve and vault of a token. */
function tokenRows({ name, mint, reserves = [], vaults = [] }: Role, names: Names | undefined) {
  const kind = 'Token';
  const title = name || shortenAddress(mint ?? '');
  const listed = (names?.markets ?? []).flatMap((market) => market.reserves ?? []);
  const lending = reserves.map((reserve) => {
    const market = listed.find((each) => each.reserve === reserve)?.market.name;
    const note = market ?? `reserve ${shortenAddress(reserve)} of an unlisted market`;
    return { kind, title, note, path: pathOf('reserve', { reserve }) ?? '/' };
  });
  const earning = vaults.map((vault) => {
    const known = names?.vaults.find((each) => each.address === vault);
    const note = known?.state.name ?? `vault ${shortenAddress(vault)}`;
    return { kind, title, note, path: pathOf('vault', { vault }) ?? '/' };
  });
  const rows = [...lending, ...earning];
  if (rows.length > 0) return rows;
  return [{ kind, title, note: 'no reserve or vault has it', path: answerPath(mint ?? '') }];
}

const partPath = ({ reserve, vault }: Role): string | undefined => {
  if (reserve !== undefined) return pathOf('reserve', { reserve });
  return vault === undefined ? undefined : pathOf('vault', { vault });
};

const walletPath = (wallet: string | undefined): string | undefined =>
  wallet === undefined ? undefined : pathOf('wallet', { wallet });

/** What has no page of its own is shown as the API answers it. */
const answerPath = (address: string): string => `/addresses/${address}`;

const ownerNote = (owner: string | undefined): string =>
  owner === undefined ? '' : `of ${shortenAddress(owner)}`;

function marketNote({ market }: Role, names: Names | undefined): string {
  if (market === undefined) return '';
  const known = names?.markets.find(({ lendingMarket }) => lendingMarket === market);
  return known?.name ?? `market ${shortenAddress(market)}`;
}

function positionsNote({ loans = 0, shares = 0, stakes = 0, withdrawTickets = 0 }: Role): string {
  const parts: readonly (readonly [number, string])[] = [
    [loans, 'loan'],
    [shares, 'vault'],
    [stakes, 'stake'],
    [withdrawTickets, 'queued withdrawal'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`)
    .join(', ');
}
