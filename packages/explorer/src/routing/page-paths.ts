/**
 * Paths of the pages. The build passes them to the server, which answers navigation to them with the app. A page that is
 * not here is not linked anywhere.
 */
export const pagePaths = {
  overview: '/',
  market: '/markets/:market',
  reserve: '/reserves/:reserve',
  vaults: '/vaults',
  vault: '/vaults/:vault',
  loan: '/loans/:loan',
  wallet: '/wallets/:wallet',
  build: '/build',
  decode: '/decode',
  transaction: '/transactions/:signature',
  proof: '/proof',
  status: '/status',
} as const;

export type PageName = keyof typeof pagePaths;
